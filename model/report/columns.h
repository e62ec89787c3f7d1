#pragma once

#include "model/base/estimate.h"
#include "model/base/message.h"
#include "model/report/measure.h"

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace headroom {

// An estimate in base units.
struct Interval {
    double value = 0;
    double low = 0;
    double high = 0;
    Source source = Source::Exact;

    friend bool operator==(const Interval&, const Interval&) = default;
};
template <typename Q>
[[nodiscard]] Interval intervalOf(const Estimate<Q>& estimate)
{
    return {estimate.value.base(), estimate.low.base(), estimate.high.base(), estimate.source};
}

// What a cell holds; monostate where there is nothing to say.
// Words are messages; what is the same in every language may be text.
using Cell = std::variant<std::monostate, std::string, double, bool, Interval, Message>;

// What every row of a column has in common.
struct ColumnHead {
    const char* key; // of JSON and CSV, with the unit at its end: "ttft_s"
    Message title;   // for people
    Measure measure = Measure::Count;
    bool interval = false; // cells are intervals: three columns in CSV
};

// One column of one table, defined once for the screen, CSV, JSON, Markdown and the report.
template <typename Row>
struct Column : ColumnHead {
    std::function<Cell(const Row&)> cell;
};
template <typename Row>
using Columns = std::vector<Column<Row>>;

// A table without its row type: what the writers below print.
struct Table {
    std::vector<ColumnHead> heads;
    std::vector<std::vector<Cell>> rows;
};

template <typename Row>
[[nodiscard]] std::vector<ColumnHead> headsOf(const Columns<Row>& columns)
{
    return {columns.begin(), columns.end()};
}

template <typename Row>
[[nodiscard]] std::vector<Cell> cellsOf(const Columns<Row>& columns, const Row& row)
{
    std::vector<Cell> cells;
    cells.reserve(columns.size());
    for (const Column<Row>& column : columns)
        cells.push_back(column.cell(row));
    return cells;
}

template <typename Row>
[[nodiscard]] Table tableOf(const Columns<Row>& columns, const std::vector<Row>& rows)
{
    Table table{headsOf(columns), {}};
    for (const Row& row : rows)
        table.rows.push_back(cellsOf(columns, row));
    return table;
}

// For people: scaled, with units.
[[nodiscard]] Message cellMessage(const ColumnHead& head, const Cell& cell);
[[nodiscard]] std::string cellText(const ColumnHead& head, const Cell& cell);
[[nodiscard]] std::string textTable(const Table& table);
// In the language of `tell`.
[[nodiscard]] std::string textTable(const Table& table,
                                    const std::function<std::string(const Message&)>& tell);
[[nodiscard]] std::string markdownTable(const Table& table);
[[nodiscard]] std::string markdownTable(const Table& table,
                                        const std::function<std::string(const Message&)>& tell);

// For programs: base units; the lines end with a line break.
[[nodiscard]] std::string csvHeader(std::span<const ColumnHead> heads);
[[nodiscard]] std::string csvRow(std::span<const ColumnHead> heads, std::span<const Cell> cells);
[[nodiscard]] std::string csvTable(const Table& table);

} // namespace headroom
