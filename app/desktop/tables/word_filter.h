#pragma once

#include <QSortFilterProxyModel>
#include <QStringList>

namespace headroom::app {

// Keeps the rows in which every word typed occurs somewhere; sorts by numbers where there are numbers.
class WordFilter final : public QSortFilterProxyModel {
    Q_OBJECT

public:
    explicit WordFilter(QObject* parent = nullptr);
    void setWords(const QString& text);

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

private:
    QStringList m_words;
};

} // namespace headroom::app
