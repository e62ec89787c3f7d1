#pragma once

#include <QModelIndex>
#include <QTimer>
#include <QVector>
#include <QWidget>

class QAbstractItemModel;
class QLabel;
class QLineEdit;
class QTableView;

namespace headroom::app {

class WordFilter;

// A table to work with: sorted by any column, filtered by words, copied and saved as CSV.
class TablePanel final : public QWidget {
    Q_OBJECT

public:
    TablePanel(const QString& name, QAbstractItemModel* model, QWidget* parent = nullptr);

    [[nodiscard]] QTableView& table() { return *m_table; }
    void setFilter(const QString& words);
    void fitColumns(); // to what is in sight; never narrower than before, so that nothing jumps
    void selectSourceRow(int row);
    [[nodiscard]] int sourceRow() const; // that is selected; -1: none
    [[nodiscard]] QString csv() const;   // what is shown, in its order
    void addTool(QWidget* widget);       // beside the filter

signals:
    void rowActivated(int sourceRow);
    void rowSelected(int sourceRow);
    // A single click on a cell, or F1 there. Told once it cannot become a double click any more, so that what
    // it opens never moves the table away under the second one.
    void cellActivated(int sourceRow, const QString& columnKey);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void recount();
    void tellCell();
    void copy() const;
    void saveCsv();

    QTableView* m_table;
    QLineEdit* m_filterEdit;
    QLabel* m_count;
    QTimer m_click;
    QVector<int> m_fitted; // widths of the columns
    WordFilter* m_filter;
    QWidget* m_tools;
};

} // namespace headroom::app
