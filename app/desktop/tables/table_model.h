#pragma once

#include "app/desktop/text/cell_text.h"
#include "model/report/columns.h"

#include <QAbstractTableModel>

#include <utility>

namespace headroom::app {

// Shows rows through their columns; sort by SortRole, which is the number and not its text.
template <typename Row>
class TableModel final : public QAbstractTableModel {
public:
    enum Role { SortRole = Qt::UserRole, RowRole };

    explicit TableModel(Columns<Row> columns, QObject* parent = nullptr)
        : QAbstractTableModel(parent), m_columns(std::move(columns))
    {}

    void setRows(std::vector<Row> rows)
    {
        beginResetModel();
        m_rows = std::move(rows);
        endResetModel();
    }
    [[nodiscard]] const Row& row(int index) const { return m_rows.at(static_cast<std::size_t>(index)); }
    [[nodiscard]] const std::vector<Row>& rows() const { return m_rows; }

    int rowCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
    }
    int columnCount(const QModelIndex& parent = {}) const override
    {
        return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
    }
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override
    {
        if (orientation != Qt::Horizontal || section < 0 || section >= columnCount())
            return {};
        const ColumnHead& head = m_columns[static_cast<std::size_t>(section)];
        if (role == Qt::DisplayRole)
            return columnTitle(head);
        if (role == Qt::TextAlignmentRole) // over its column
            return alignmentOf(
                m_rows.empty() ? Cell() : m_columns[static_cast<std::size_t>(section)].cell(m_rows.front()));
        return role == Qt::UserRole ? QVariant(QString::fromLatin1(head.key)) : QVariant();
    }
    QVariant data(const QModelIndex& index, int role) const override
    {
        if (!checkIndex(index, CheckIndexOption::IndexIsValid))
            return {};
        const Column<Row>& column = m_columns[static_cast<std::size_t>(index.column())];
        const Cell cell = column.cell(row(index.row()));
        switch (role) {
        case Qt::DisplayRole:
        case Qt::ToolTipRole:
            return shownText(column, cell);
        case SortRole:
            return sortKey(cell);
        case RowRole:
            return index.row();
        case Qt::TextAlignmentRole:
            return alignmentOf(cell);
        default:
            return {};
        }
    }

private:
    static int alignmentOf(const Cell& cell)
    {
        if (std::holds_alternative<bool>(cell))
            return Qt::AlignCenter;
        return int(Qt::AlignVCenter
                   | (std::holds_alternative<std::string>(cell) ? Qt::AlignLeft : Qt::AlignRight));
    }
    static QVariant sortKey(const Cell& cell)
    {
        if (const auto* words = std::get_if<std::string>(&cell))
            return QString::fromStdString(*words);
        if (const auto* interval = std::get_if<Interval>(&cell))
            return interval->value;
        if (const auto* yes = std::get_if<bool>(&cell))
            return *yes;
        const auto* number = std::get_if<double>(&cell);
        return number ? QVariant(*number) : QVariant();
    }

    Columns<Row> m_columns;
    std::vector<Row> m_rows;
};

} // namespace headroom::app
