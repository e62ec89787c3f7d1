#include "app/desktop/charts/chart_points.h"

#include "app/desktop/charts/chart_marks.h"

#include <QLocale>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

constexpr double hoverReach = 28; // px: how near the pointer must come
constexpr double markSize = 10;   // px: what a point of a line or a small mark covers
const char* const seriesProperty = "series";

bool isBox(const ChartSeries& series)
{
    return series.kind == ChartSeries::Kind::Bars || series.kind == ChartSeries::Kind::Spans;
}

QString valueText(const ChartAxis& axis, double value)
{
    const auto index = static_cast<qsizetype>(std::lround(value));
    if (index >= 0 && index < axis.categories.size())
        return axis.categories[index];
    return QStringLiteral("%1 %2").arg(QLocale().toString(value, 'g', 4), axis.unit).trimmed();
}

} // namespace

void setSeriesOf(QCPAbstractPlottable& plottable, qsizetype series)
{
    plottable.setProperty(seriesProperty, series);
}

qsizetype seriesOf(const QCPAbstractPlottable& plottable)
{
    const QVariant shown = plottable.property(seriesProperty);
    return shown.isValid() ? shown.toLongLong() : -1;
}

QCPAbstractPlottable* plottableOf(const QCustomPlot& plot, qsizetype series)
{
    for (int i = 0; i < plot.plottableCount(); ++i) {
        QCPAbstractPlottable* const each = const_cast<QCustomPlot&>(plot).plottable(i);
        if (seriesOf(*each) == series)
            return each;
    }
    return nullptr;
}

QPointF pointPixel(const QCustomPlot& plot, const ChartData& data, int series, int point)
{
    if (const auto* marks = qobject_cast<ChartMarks*>(plottableOf(plot, series)))
        return marks->centre(point);
    const ChartSeries& line = data.series[series];
    return {plot.xAxis->coordToPixel(line.x[point]), plot.yAxis->coordToPixel(line.y[point])};
}

QRectF pointBox(const QCustomPlot& plot, const ChartData& data, int series, int point)
{
    const auto* marks = qobject_cast<ChartMarks*>(plottableOf(plot, series));
    if (marks && isBox(data.series[series]))
        return marks->box(point);
    const QPointF at = pointPixel(plot, data, series, point);
    const double size = marks ? std::max(markSize, marks->diameter(point)) : markSize;
    return {at - QPointF(size / 2, size / 2), QSizeF(size, size)};
}

std::pair<int, int> nearestPoint(const QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden,
                                 const QPointF& at)
{
    std::pair<int, int> best{-1, -1};
    double reach = hoverReach;
    for (int s = 0; s < data.series.size(); ++s) {
        const ChartSeries& series = data.series[s];
        if (hidden.value(s))
            continue;
        const auto* marks = qobject_cast<ChartMarks*>(plottableOf(plot, s));
        for (int p = 0; p < series.x.size(); ++p) {
            const double distance = marks && isBox(series)
                ? (marks->box(p).adjusted(-1, -1, 1, 1).contains(at) ? 0.0 : hoverReach)
                : QLineF(marks ? marks->centre(p)
                               : QPointF(plot.xAxis->coordToPixel(series.x[p]),
                                         plot.yAxis->coordToPixel(series.y[p])),
                         at)
                      .length();
            if (distance < reach) {
                reach = distance;
                best = {s, p};
            }
        }
    }
    return best;
}

QString pointText(const ChartData& data, int s, int p)
{
    const ChartSeries& series = data.series[s];
    const QLocale locale;
    const bool lying = data.horizontal && series.kind == ChartSeries::Kind::Bars;
    const ChartAxis& keys = lying ? data.y : data.x;
    const ChartAxis& values = lying ? data.x : data.y;
    QString text = series.labels.value(p).isEmpty() ? series.name : series.labels[p];
    if (series.kind == ChartSeries::Kind::Spans)
        return text
            + QStringLiteral("\n%1 – %2")
                  .arg(valueText(data.x, series.from.value(p)), valueText(data.x, series.x[p]));
    text += QStringLiteral("\n%1: %2\n%3: %4")
                .arg(keys.title, valueText(keys, series.x[p]), values.title, valueText(values, series.y[p]));
    if (p < series.low.size() && p < series.high.size())
        text += QStringLiteral(" (%1 – %2)")
                    .arg(locale.toString(series.low[p], 'g', 4), locale.toString(series.high[p], 'g', 4));
    return text;
}

} // namespace headroom::app
