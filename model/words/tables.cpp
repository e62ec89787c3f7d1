#include "model/words/tables.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <utility>

namespace headroom::ask {

std::pair<std::string_view, std::string_view> cutAt(std::string_view text, char separator)
{
    const std::size_t end = std::min(text.find(separator), text.size());
    return {text.substr(0, end), text.substr(std::min(end + 1, text.size()))};
}

std::vector<std::string_view> partsOf(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto [part, rest] = cutAt(text, separator);
        parts.push_back(part);
        text = rest;
    }
    return parts;
}

std::vector<std::vector<std::string_view>> rowsOf(std::string_view table)
{
    std::vector<std::vector<std::string_view>> rows;
    eachRow({}, table, [&](const auto& row, std::size_t) { rows.push_back(row); });
    return rows;
}

void refuseRow(std::string_view table, std::size_t line, std::string_view why)
{
    throw TableError(fmt::format("resources/ask/{}.tsv, line {}: {}", table, line, why));
}

void eachRow(std::string_view table, std::string_view text,
             const std::function<void(const std::vector<std::string_view>& row, std::size_t line)>& read)
{
    std::size_t number = 0;
    for (std::string_view line : partsOf(text, '\n')) {
        ++number;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty() && line.front() != '#')
            byRow(table, number, [&] { read(partsOf(line, '\t'), number); });
    }
}

std::string_view fieldOf(const std::vector<std::string_view>& row, std::size_t column)
{
    return column < row.size() ? row[column] : std::string_view{};
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
