#include "model/text/tsv.h"

#include <algorithm>

namespace headroom {

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

std::vector<TsvRow> tsvRows(std::string_view table)
{
    std::vector<TsvRow> rows;
    std::size_t number = 0;
    for (std::string_view line : partsOf(table, '\n')) {
        ++number;
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty() && line.front() != '#')
            rows.push_back({number, partsOf(line, '\t')});
    }
    return rows;
}

} // namespace headroom
