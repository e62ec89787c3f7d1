#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

namespace headroom {

// What stands before the first `separator`, and behind it.
[[nodiscard]] std::pair<std::string_view, std::string_view> cutAt(std::string_view text, char separator);

// The parts between `separator`; an empty text has none.
[[nodiscard]] std::vector<std::string_view> partsOf(std::string_view text, char separator);

// A row of a table, cut at tabs.
struct TsvRow {
    std::size_t line = 0; // from 1
    std::vector<std::string_view> fields;

    // A field; what a short row leaves out is empty.
    [[nodiscard]] std::string_view operator[](std::size_t column) const
    {
        return column < fields.size() ? fields[column] : std::string_view{};
    }
};

// The rows of a table, which has to outlive them; lines that are empty or begin with '#' are none.
[[nodiscard]] std::vector<TsvRow> tsvRows(std::string_view table);

} // namespace headroom
