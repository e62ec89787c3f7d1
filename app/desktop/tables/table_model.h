#pragma once

#include "app/desktop/text/cell_text.h"
#include "app/desktop/text/model_text.h"
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
        m_alignments.assign(m_columns.size(), 0);
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
            return alignmentOf(section);
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
            return alignmentOf(index.column());
        default:
            return {};
        }
    }

private:
    // Of a whole column: words on the left, numbers on the right. Cells with nothing to say do not tell, and
    // words may come late, in the first row that has a reason.
    int alignmentOf(int section) const
    {
        const auto place = static_cast<std::size_t>(section);
        if (m_rows.empty())
            return Qt::AlignVCenter | Qt::AlignLeft;
        if (m_alignments[place] == 0) {
            Cell cell;
            for (std::size_t i = 0; i < m_rows.size() && std::holds_alternative<std::monostate>(cell); ++i)
                cell = m_columns[place].cell(m_rows[i]);
            const bool number
                = std::holds_alternative<double>(cell) || std::holds_alternative<Interval>(cell);
            m_alignments[place] = std::holds_alternative<bool>(cell)
                ? int(Qt::AlignCenter)
                : int(Qt::AlignVCenter) | int(number ? Qt::AlignRight : Qt::AlignLeft);
        }
        return m_alignments[place];
    }
    static QVariant sortKey(const Cell& cell)
    {
        if (const auto* words = std::get_if<std::string>(&cell))
            return QString::fromStdString(*words);
        if (const auto* said = std::get_if<Message>(&cell))
            return modelText(*said);
        if (const auto* interval = std::get_if<Interval>(&cell))
            return interval->value;
        if (const auto* yes = std::get_if<bool>(&cell))
            return *yes;
        const auto* number = std::get_if<double>(&cell);
        return number ? QVariant(*number) : QVariant();
    }

    Columns<Row> m_columns;
    std::vector<Row> m_rows;
    mutable std::vector<int> m_alignments; // of each column, 0 until asked for
};

} // namespace headroom::app
