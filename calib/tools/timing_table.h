#pragma once

#include "model/text/csv.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

// A published CSV of timings. Columns that the publisher dropped because they were constant come from its
// manifest.
class TimingTable {
public:
    TimingTable(CsvTable table, std::map<std::string, std::string> constants);

    [[nodiscard]] std::size_t rows() const { return m_table.records.size(); }
    [[nodiscard]] bool has(std::string_view column) const;
    [[nodiscard]] std::string text(std::size_t row,
                                   std::string_view column) const; // empty where there is none
    [[nodiscard]] double number(std::size_t row, std::string_view column, double absent = 0) const;
    [[nodiscard]] const std::string& constant(const std::string& name) const;

private:
    CsvTable m_table;
    std::map<std::string, std::string> m_constants;
    std::map<std::string, std::size_t, std::less<>> m_columns;
};

// "a=1; b=x y" as a map.
[[nodiscard]] std::map<std::string, std::string> readConstants(std::string_view text);

} // namespace headroom
