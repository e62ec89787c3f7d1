#include "model/ask/tables.h"

#include <charconv>

namespace headroom::ask {

std::vector<std::string_view> partsOf(std::string_view text, char separator)
{
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        parts.push_back(text.substr(0, end));
        text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
    }
    return parts;
}

std::vector<std::vector<std::string_view>> rowsOf(std::string_view table)
{
    std::vector<std::vector<std::string_view>> rows;
    for (std::string_view line : partsOf(table, '\n')) {
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if (!line.empty() && line.front() != '#')
            rows.push_back(partsOf(line, '\t'));
    }
    return rows;
}

std::string_view fieldOf(const std::vector<std::string_view>& row, std::size_t column)
{
    return column < row.size() ? row[column] : std::string_view{};
}

double numberOf(std::string_view field)
{
    double value = 0;
    std::from_chars(field.data(), field.data() + field.size(), value);
    return value;
}

} // namespace headroom::ask
