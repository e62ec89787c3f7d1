#pragma once

#include "app/desktop/charts/chart_data.h"

#include <QPointF>
#include <QRectF>

#include <utility>

class QCPAbstractPlottable;
class QCustomPlot;

namespace headroom::app {

// Which series of the data a plottable shows. Bands belong to their line and have none of their own.
void setSeriesOf(QCPAbstractPlottable& plottable, qsizetype series);
[[nodiscard]] qsizetype seriesOf(const QCPAbstractPlottable& plottable); // -1: none
[[nodiscard]] QCPAbstractPlottable* plottableOf(const QCustomPlot& plot, qsizetype series);

// Where a point stands in the picture, in pixels.
[[nodiscard]] QPointF pointPixel(const QCustomPlot& plot, const ChartData& data, int series, int point);
// What it covers there: the box of a bar or a span, the mark of a point, nothing but itself on a line.
[[nodiscard]] QRectF pointBox(const QCustomPlot& plot, const ChartData& data, int series, int point);
// Series and point under the pointer or next to it; (-1, -1) when none is near.
[[nodiscard]] std::pair<int, int> nearestPoint(const QCustomPlot& plot, const ChartData& data,
                                               const QVector<bool>& hidden, const QPointF& at);
// What a point says of itself: its name, both values with their units, its interval.
[[nodiscard]] QString pointText(const ChartData& data, int series, int point);

} // namespace headroom::app
