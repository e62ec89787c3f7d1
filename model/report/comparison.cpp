#include "model/report/comparison.h"

#include "model/report/figures.h"

#include <algorithm>

namespace headroom {

namespace {

Figures figuresOf(const Compared& one)
{
    return {.label = one.label,
            .deployment = one.resolved.deployment,
            .load = one.resolved.load,
            .prediction = one.prediction,
            .whyNot = one.whyNot};
}

} // namespace

Table comparisonRows(const std::vector<Compared>& compared)
{
    Columns<Figures> columns{{{"label", "candidate"}, [](const Figures& row) { return row.label; }}};
    columns.insert(columns.end(), figureColumns().begin(), figureColumns().end());
    std::vector<Figures> rows;
    for (const Compared& one : compared)
        rows.push_back(figuresOf(one));
    return tableOf(columns, rows);
}

Table sideBySide(const std::vector<Compared>& compared)
{
    Table table{{{"figure", ""}}, {}};
    for (const Compared& one : compared)
        table.heads.push_back({one.label.c_str(), asIs(one.label)});
    for (const Column<Figures>& column : figureColumns()) {
        std::vector<Cell> row{column.title};
        for (const Compared& one : compared)
            row.emplace_back(cellMessage(column, column.cell(figuresOf(one))));
        const bool said = std::any_of(row.begin() + 1, row.end(),
                                      [](const Cell& c) { return !std::get<Message>(c).empty(); });
        if (said)
            table.rows.push_back(std::move(row));
    }
    return table;
}

} // namespace headroom
