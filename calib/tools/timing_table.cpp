#include "calib/tools/timing_table.h"

#include <charconv>

namespace headroom {

TimingTable::TimingTable(CsvTable table, std::map<std::string, std::string> constants)
    : m_table(std::move(table)), m_constants(std::move(constants))
{
    for (std::size_t i = 0; i < m_table.header.size(); ++i)
        m_columns.emplace(m_table.header[i], i);
}

bool TimingTable::has(std::string_view column) const
{
    return m_columns.find(column) != m_columns.end() || m_constants.count(std::string(column)) > 0;
}

std::string TimingTable::text(std::size_t row, std::string_view column) const
{
    if (const auto found = m_columns.find(column); found != m_columns.end())
        return m_table.records[row].cells[found->second];
    return constant(std::string(column));
}

double TimingTable::number(std::size_t row, std::string_view column, double absent) const
{
    const std::string cell = text(row, column);
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    return error == std::errc() && end == cell.data() + cell.size() ? value : absent;
}

const std::string& TimingTable::constant(const std::string& name) const
{
    static const std::string none;
    const auto found = m_constants.find(name);
    return found == m_constants.end() ? none : found->second;
}

std::map<std::string, std::string> readConstants(std::string_view text)
{
    std::map<std::string, std::string> constants;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        while (!part.empty() && part.front() == ' ')
            part.remove_prefix(1);
        const std::size_t equals = part.find('=');
        if (equals != std::string_view::npos)
            constants.emplace(part.substr(0, equals), part.substr(equals + 1));
    }
    return constants;
}

} // namespace headroom
