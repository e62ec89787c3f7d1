#pragma once

#include <QAbstractTableModel>
#include <QFrame>
#include <QToolButton>

#include <functional>

class QLineEdit;
class QTableView;

namespace headroom::app {

class WordFilter;

// One thing of the catalogue that can be chosen, with what one chooses it by.
struct PickerRow {
    QString id;
    QStringList cells;
    QVector<double> numbers; // sort keys of the cells; NaN sorts by text
};

class PickerModel final : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;
    void setContent(QStringList headers, QVector<PickerRow> rows);
    void setChosen(QStringList ids);
    [[nodiscard]] const QStringList& chosen() const { return m_chosen; }
    [[nodiscard]] const PickerRow& row(int index) const { return m_rows[index]; }

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    QStringList m_headers;
    QVector<PickerRow> m_rows;
    QStringList m_chosen;
};

// A button that shows the choice and opens a searchable table; one id, or several with a mark each.
class Picker final : public QToolButton {
    Q_OBJECT

public:
    using Content = std::function<std::pair<QStringList, QVector<PickerRow>>()>;
    Picker(const QString& name, bool several, QWidget* parent = nullptr);

    // Called when the table is opened first: reading a whole catalogue is not part of starting.
    void setContent(Content content) { m_content = std::move(content); }
    void setChosen(const QStringList& ids, const QString& text);
    // A button below the table for what is not in it.
    void setOther(const QString& title) { m_other = title; }
    void open();
    [[nodiscard]] QFrame* popup() const { return m_popup; }
    [[nodiscard]] PickerModel* model() const { return m_model; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void picked(const QStringList& ids);
    void otherMeant();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override; // as the other boxes that open a list

private:
    [[nodiscard]] QSize sizeFor(int textWidth) const;
    void buildPopup();
    void pick(const QModelIndex& index);

    bool m_several;
    QString m_other;
    Content m_content;
    PickerModel* m_model;
    QFrame* m_popup = nullptr;
    WordFilter* m_filter = nullptr;
    QLineEdit* m_search = nullptr;
    QTableView* m_table = nullptr;
};

} // namespace headroom::app
