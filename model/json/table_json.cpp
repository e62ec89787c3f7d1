#include "model/json/table_json.h"

#include "model/json/value_json.h"

namespace headroom {

namespace {

Json cellJson(const Cell& cell)
{
    if (const auto* text = std::get_if<std::string>(&cell))
        return *text;
    if (const auto* words = std::get_if<Message>(&cell))
        return words->english();
    if (const auto* number = std::get_if<double>(&cell))
        return numberJson(*number);
    if (const auto* truth = std::get_if<bool>(&cell))
        return *truth;
    if (const auto* interval = std::get_if<Interval>(&cell))
        return intervalJson(*interval);
    return nullptr;
}

Json objectOf(std::span<const ColumnHead> heads, std::span<const Cell> cells)
{
    Json out = Json::object();
    for (std::size_t i = 0; i < heads.size(); ++i)
        out[heads[i].key] = cellJson(cells[i]);
    return out;
}

} // namespace

std::string rowJson(std::span<const ColumnHead> heads, std::span<const Cell> cells)
{
    return objectOf(heads, cells).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Json rowsJson(const Table& table)
{
    Json rows = Json::array();
    for (const std::vector<Cell>& row : table.rows)
        rows.push_back(objectOf(table.heads, row));
    return rows;
}

std::string tableJson(const std::string& schema, const Table& table)
{
    return documentText({{"schema", schema}, {"rows", rowsJson(table)}});
}

} // namespace headroom
