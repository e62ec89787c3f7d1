#include "app/desktop/charts/chart_legend.h"

#include <qcustomplot.h>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr int columnGap = 14; // px
constexpr int sideMargin = 8;

// Width of the entries when `columns` of them stand beside each other.
int widthIn(const QVector<int>& entries, int columns)
{
    QVector<int> widest(columns, 0);
    for (qsizetype i = 0; i < entries.size(); ++i)
        widest[i % columns] = std::max(widest[i % columns], entries[i]);
    int sum = 2 * sideMargin + (columns - 1) * columnGap;
    for (const int width : widest)
        sum += width;
    return sum;
}

} // namespace

void addLegend(QCustomPlot& plot)
{
    plot.setAutoAddPlottableToLegend(true);
    auto* head = new QCPLayoutGrid;
    plot.plotLayout()->insertRow(0);
    plot.plotLayout()->addElement(0, 0, head);
    head->addElement(0, 0, plot.legend);
    head->addElement(0, 1, new QCPLayoutElement); // takes the rest of the line
    head->setColumnStretchFactor(0, 0.001);
    plot.plotLayout()->setRowStretchFactor(0, 0.001);
    plot.plotLayout()->setRowSpacing(0);
    plot.legend->setFillOrder(QCPLegend::foColumnsFirst);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setMargins(QMargins(sideMargin, 2, sideMargin, 0));
    plot.legend->setColumnSpacing(columnGap);
    plot.legend->setRowSpacing(1);
    QObject::connect(&plot, &QCustomPlot::beforeReplot, &plot, [&plot] { fitLegend(plot); });
}

void fitLegend(QCustomPlot& plot)
{
    QCPLegend& legend = *plot.legend;
    const QFontMetrics metrics(legend.font());
    legend.setIconSize(22,
                       metrics.height() + 1); // an entry is as high as its icon: nothing of a letter is cut
    QVector<int> entries;
    for (int i = 0; i < legend.itemCount(); ++i)
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(legend.item(i)))
            entries << metrics.horizontalAdvance(item->plottable()->name()) + legend.iconSize().width()
                    + legend.iconTextPadding() + 2;
    int columns = std::max(1, static_cast<int>(entries.size()));
    while (columns > 1 && widthIn(entries, columns) > plot.width())
        --columns;
    if (legend.wrap() == columns)
        return;
    legend.setWrap(columns);
    legend.setFillOrder(QCPLegend::foColumnsFirst, true);
}

} // namespace headroom::app
