#pragma once

#include "model/base/result.h"

#include <charconv>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// One line of a CSV file (several, when a quoted cell holds line breaks).
struct CsvRecord {
    std::size_t line = 0;             // of its first character, from 1
    std::vector<std::string> cells;   // a blank line has none
    std::vector<std::size_t> columns; // of each cell's first character, from 1

    friend bool operator==(const CsvRecord&, const CsvRecord&) = default;
};

// RFC 4180 with either line end: quoted cells, doubled quotes, line breaks inside quotes. `name` stands in
// the places of problems. Records may differ in length; refused are a quote that never closes, text behind a
// closing quote, NUL bytes, and more cells than `csvCellLimit`.
[[nodiscard]] Result<std::vector<CsvRecord>> readCsvRecords(std::string_view text, const std::string& name);
constexpr std::size_t csvCellLimit = 4'000'000; // ten times the largest collection known to us

// A header and records of its length.
struct CsvTable {
    std::string name;
    std::vector<std::string> header;
    std::vector<CsvRecord> records;

    [[nodiscard]] std::optional<std::size_t> column(std::string_view title) const;
    [[nodiscard]] std::string place(const CsvRecord& record, std::size_t column) const; // "f.csv:3:17 value"
};
[[nodiscard]] Result<CsvTable> readCsvTable(std::string_view text, const std::string& name);

// The number that a whole cell is; nothing beside it, not even spaces.
template <typename T>
[[nodiscard]] std::optional<T> wholeCell(std::string_view text)
{
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

// What a spreadsheet would reckon with: it takes a text for a formula by its first character.
[[nodiscard]] bool isFormula(std::string_view text);

// A cell for a CSV file, quoted where it must be. Text that a spreadsheet would take for a formula gets a
// leading apostrophe, which spreadsheets take for "this is text"; numbers are left.
[[nodiscard]] std::string csvCell(std::string_view text);

} // namespace headroom
