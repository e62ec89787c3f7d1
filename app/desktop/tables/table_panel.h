#pragma once

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
    void fitColumns();
    void selectSourceRow(int row);
    [[nodiscard]] QString csv() const; // what is shown, in its order
    void addTool(QWidget* widget);     // beside the filter

signals:
    void rowActivated(int sourceRow);
    void rowSelected(int sourceRow);
    void cellActivated(int sourceRow, const QString& columnKey);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void recount();
    void copy() const;
    void saveCsv();

    QTableView* m_table;
    QLineEdit* m_filterEdit;
    QLabel* m_count;
    WordFilter* m_filter;
    QWidget* m_tools;
};

} // namespace headroom::app
