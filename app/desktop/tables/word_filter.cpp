#include "app/desktop/tables/word_filter.h"

#include <algorithm>

namespace headroom::app {

WordFilter::WordFilter(QObject* parent) : QSortFilterProxyModel(parent)
{
    setSortRole(Qt::UserRole);
    setSortCaseSensitivity(Qt::CaseInsensitive);
}

void WordFilter::setWords(const QString& text)
{
    m_words = text.split(u' ', Qt::SkipEmptyParts);
    invalidateFilter();
}

bool WordFilter::filterAcceptsRow(int row, const QModelIndex& parent) const
{
    if (m_words.isEmpty())
        return true;
    QString all;
    for (int c = 0; c < sourceModel()->columnCount(parent); ++c)
        all += u' ' + sourceModel()->index(row, c, parent).data().toString();
    return std::all_of(m_words.begin(), m_words.end(),
                       [&](const QString& word) { return all.contains(word, Qt::CaseInsensitive); });
}

} // namespace headroom::app

#include "moc_word_filter.cpp"
