#include "model/words/tables.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace headroom::ask {

void refuseRow(std::string_view table, std::size_t line, std::string_view why)
{
    throw TableError(fmt::format("resources/ask/{}.tsv, line {}: {}", table, line, why));
}

double numberOf(std::string_view field)
{
    double value = 0;
    const char* const end = field.data() + field.size();
    if (field.empty() || std::from_chars(field.data(), end, value).ptr != end)
        throw std::logic_error(fmt::format("'{}' is no number", field));
    return value;
}

std::vector<Setting> settingsOf(std::string_view text)
{
    std::vector<Setting> settings;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find_first_of("= "), text.size());
        Setting setting{.what = text.substr(0, end)};
        bool more = end < text.size() && text[end] == '=';
        text.remove_prefix(std::min(end + 1, text.size()));
        while (more) {
            const bool quoted = text.starts_with('"');
            if (quoted)
                text.remove_prefix(1);
            const std::size_t last
                = std::min(quoted ? text.find('"') : text.find_first_of(", "), text.size());
            setting.values.push_back(text.substr(0, last));
            text.remove_prefix(std::min(last + (quoted ? 1 : 0), text.size()));
            more = text.starts_with(',');
            text.remove_prefix(text.empty() ? 0 : 1);
        }
        settings.push_back(std::move(setting));
    }
    return settings;
}

} // namespace headroom::ask
