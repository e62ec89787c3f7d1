#include "app/desktop/charts/chart_fill.h"

#include "app/desktop/charts/chart_fit.h"
#include "app/desktop/charts/chart_legend.h"
#include "app/desktop/charts/chart_mark_lines.h"
#include "app/desktop/charts/chart_marks.h"
#include "app/desktop/charts/chart_points.h"
#include "app/desktop/charts/chart_ticks.h"

#include <QHash>
#include <QSet>
#include <qcustomplot.h>

#include <cmath>

namespace headroom::app {

namespace {

QString axisTitle(const ChartAxis& axis)
{
    return axis.unit.isEmpty() ? axis.title : QStringLiteral("%1 (%2)").arg(axis.title, axis.unit);
}

void styleAxis(QCPAxis& axis, const ChartAxis& data, const ChartTheme& theme, const QFont& font)
{
    axis.setLabel(axisTitle(data));
    axis.setLabelFont(font);
    axis.setTickLabelFont(font);
    axis.setLabelColor(theme.muted);
    axis.setTickLabelColor(theme.muted);
    axis.setBasePen(QPen(theme.grid, 1));
    axis.setTickPen(QPen(theme.grid, 1));
    axis.setSubTickPen(Qt::NoPen);
    axis.grid()->setPen(QPen(theme.grid, 0.8));
    axis.grid()->setZeroLinePen(QPen(theme.grid, 1));
    axis.grid()->setSubGridVisible(false);
    axis.setLabelPadding(4);
    axis.setScaleType(data.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (!data.categories.isEmpty()) {
        const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
        for (qsizetype i = 0; i < data.categories.size(); ++i)
            names->addTick(static_cast<double>(i), data.categories[i]);
        axis.setTicker(names);
        axis.setTickLength(0);
        axis.grid()->setVisible(false);
        return;
    }
    axis.grid()->setVisible(true);
    axis.setTicker(tickerFor(data));
}

QCPGraph& addLine(QCustomPlot& plot, const ChartSeries& series, bool visible, const ChartTheme& theme)
{
    const QColor colour = theme.colour(series.colour);
    if (!series.low.isEmpty() && visible) {
        QColor band = colour;
        band.setAlphaF(0.16F);
        QCPGraph* low = plot.addGraph();
        QCPGraph* high = plot.addGraph();
        low->setData(series.x, series.low, true);
        high->setData(series.x, series.high, true);
        for (QCPGraph* edge : {low, high}) {
            edge->setPen(Qt::NoPen);
            edge->removeFromLegend();
        }
        high->setBrush(band);
        high->setAntialiasedFill(false); // pale, and half of what a curve costs
        high->setChannelFillGraph(low);
    }
    QCPGraph* line = plot.addGraph();
    line->setName(series.name);
    line->setData(series.x, series.y, true);
    // What is named where it ends needs no dashes to be told apart.
    const Qt::PenStyle dash = series.endLabel.isEmpty() ? ChartTheme::dash(series.colour) : Qt::SolidLine;
    line->setPen(series.quiet ? QPen(theme.muted, 1) : QPen(colour, 2, dash));
    if (series.quiet || !series.endLabel.isEmpty())
        line->removeFromLegend();
    line->setVisible(visible);
    return *line;
}

void sayWhyEmpty(QCustomPlot& plot, const ChartData& data, const ChartTheme& theme, const QFont& font)
{
    auto* text = new QCPItemText(&plot);
    text->setObjectName(whyEmpty);
    text->setText(data.whenEmpty);
    text->setColor(theme.muted);
    text->setFont(font);
    text->position->setType(QCPItemPosition::ptViewportRatio);
    text->position->setCoords(0.5, 0.5);
    text->setPositionAlignment(Qt::AlignCenter);
    text->setTextAlignment(Qt::AlignCenter);
}

void padRange(QCPAxis& axis, const ChartAxis& data, bool keepZero)
{
    QCPRange range = axis.range();
    if (!data.categories.isEmpty()) {
        axis.setRange(-0.6, static_cast<double>(data.categories.size()) - 0.4);
        return;
    }
    if (data.logarithmic) {
        const double margin = std::pow(std::max(range.upper / range.lower, 1.2), 0.05);
        range = QCPRange(range.lower / margin, range.upper * margin);
    } else {
        const double margin = std::max(range.size() * 0.06, std::abs(range.upper) * 1e-6);
        range = QCPRange(keepZero && range.lower >= 0 ? 0 : range.lower - margin, range.upper + margin);
    }
    axis.setRange(data.low.value_or(range.lower), data.high.value_or(range.upper));
}

// A single value has no extent of its own: it gets some to either side, and stays where it is.
QCPRange withExtent(const QCPRange& range, bool logarithmic)
{
    constexpr double part = 0.25;
    if (range.size() > std::abs(range.upper) * 1e-9)
        return range;
    if (logarithmic)
        return {range.upper * (1 - part), range.upper * (1 + part)};
    const double around = range.upper == 0 ? 1 : std::abs(range.upper) * part;
    return {range.lower - around, range.upper + around};
}

void scale(QCustomPlot& plot, const ChartData& data)
{
    QSet<QCPAxis*> scaled;
    for (int i = 0; i < plot.plottableCount(); ++i) {
        const QCPAbstractPlottable* shown = plot.plottable(i);
        if (!shown->realVisibility())
            continue;
        for (QCPAxis* axis : {plot.xAxis, plot.yAxis}) {
            const bool logarithmic = axis->scaleType() == QCPAxis::stLogarithmic;
            const QCP::SignDomain domain = logarithmic ? QCP::sdPositive : QCP::sdBoth;
            bool found = false;
            const QCPRange own = axis == shown->keyAxis() ? shown->getKeyRange(found, domain)
                                                          : shown->getValueRange(found, domain);
            if (!found) // a series without a point
                continue;
            axis->setRange(scaled.contains(axis) ? axis->range().expanded(own)
                                                 : withExtent(own, logarithmic));
            scaled << axis;
        }
    }
    if (scaled.isEmpty())
        return;
    // Limits belong in the picture when they are within reach of the data.
    for (const ChartMark& mark : data.marks) {
        QCPAxis& axis = mark.orientation == Qt::Horizontal ? *plot.yAxis : *plot.xAxis;
        if (mark.limit && std::isfinite(mark.at) && mark.at <= axis.range().upper * 2.5 && mark.at > 0)
            axis.setRange(std::min(axis.range().lower, mark.at), std::max(axis.range().upper, mark.at));
    }
    padRange(*plot.xAxis, data.x, data.horizontal);
    padRange(*plot.yAxis, data.y, !data.y.logarithmic && !data.horizontal);
}

} // namespace

void setUpPlot(QCustomPlot& plot)
{
    plot.setNoAntialiasingOnDrag(true);
    // Charts of one frame are painted in one go, with the rest of the window.
    plot.setPlottingHint(QCP::phImmediateRefresh, false);
    // Nothing is drawn there that changes alone: it needs no picture of its own to be laid over the rest.
    plot.layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
    addLegend(plot);
}

void fillPlot(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden, const ChartTheme& theme,
              bool keepRange)
{
    plot.clearPlottables();
    plot.clearItems();
    plot.setBackground(theme.background);
    QFont font = plot.font();
    styleAxis(*plot.xAxis, data.x, theme, font);
    styleAxis(*plot.yAxis, data.y, theme, font);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis})
        axis->setVisible(!data.isEmpty()); // an empty frame from 0 to 5 would say something that is not so
    if (data.isEmpty())
        sayWhyEmpty(plot, data, theme, font);
    const bool named = data.series.size() > 1 && !data.isEmpty() && !isCompact(plot);
    plot.legend->setVisible(named);
    plot.setAutoAddPlottableToLegend(named); // an entry takes its room even where it is not shown
    plot.legend->setFont(font);
    plot.legend->setTextColor(theme.text);

    QHash<double, double> tops; // stacked: what already stands at each place
    for (qsizetype i = 0; i < data.series.size(); ++i) {
        const ChartSeries& series = data.series[i];
        const bool visible = !hidden.value(i);
        if (series.kind == ChartSeries::Kind::Line) {
            setSeriesOf(addLine(plot, series, visible, theme), i);
            continue;
        }
        QVector<double> base(series.kind == ChartSeries::Kind::Bars ? series.x.size() : 0, 0.0);
        for (qsizetype p = 0; p < base.size() && data.stacked && visible; ++p) {
            base[p] = tops.value(series.x[p]);
            tops[series.x[p]] += series.y[p];
        }
        auto* marks = data.horizontal && series.kind == ChartSeries::Kind::Bars
            ? new ChartMarks(plot.yAxis, plot.xAxis)
            : new ChartMarks(plot.xAxis, plot.yAxis);
        marks->show(series, std::move(base), data.horizontal, theme);
        setSeriesOf(*marks, i);
        marks->setVisible(visible);
    }
    for (int i = 0; i < plot.legend->itemCount(); ++i)
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.legend->item(i)))
            item->setTextColor(item->plottable()->visible() ? theme.text : theme.grid);
    if (!keepRange)
        scale(plot, data);
    if (!data.isEmpty())
        addMarkLines(plot, data, hidden, theme);
    keepFitting(plot, data, keepRange);
    fitLegend(plot);
}

} // namespace headroom::app
