#include "app/desktop/charts/chart_fill.h"

#include "app/desktop/charts/chart_marks.h"

#include <QHash>
#include <qcustomplot.h>

#include <cmath>

namespace headroom::app {

namespace {

// "1,024", "16k", "1.5M", "0.05": ticks must be short.
QString tickText(double value)
{
    const QLocale locale;
    const double size = std::abs(value);
    const auto plain
        = [&](double v, const char* suffix) { return locale.toString(v, 'g', 4) + QLatin1String(suffix); };
    if (size >= 1e9)
        return plain(value / 1e9, "G");
    if (size >= 1e6)
        return plain(value / 1e6, "M");
    if (size >= 1e4)
        return plain(value / 1e3, "k");
    return size >= 1 || size < 1e-12 ? locale.toString(value, 'f', value == std::round(value) ? 0 : 2)
                                     : locale.toString(value, 'g', 3);
}

class PlainTicker final : public QCPAxisTicker {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tickText(tick); }
};
class LogTicker final : public QCPAxisTickerLog {
protected:
    QString getTickLabel(double tick, const QLocale&, QChar, int) override { return tickText(tick); }
};

// Powers of ten when there are enough of them, powers of two when not.
QSharedPointer<QCPAxisTicker> tickerFor(const ChartAxis& data, const QCPRange& range)
{
    if (!data.logarithmic)
        return QSharedPointer<QCPAxisTicker>(new PlainTicker);
    const QSharedPointer<LogTicker> ticker(new LogTicker);
    ticker->setLogBase(range.lower > 0 && range.upper / range.lower < 2000 ? 2 : 10);
    ticker->setTickCount(8);
    return ticker;
}

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
}

void addLine(QCustomPlot& plot, const ChartSeries& series, bool visible, const ChartTheme& theme)
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
        high->setChannelFillGraph(low);
    }
    QCPGraph* line = plot.addGraph();
    line->setName(series.name);
    line->setData(series.x, series.y, true);
    line->setPen(QPen(colour, 2, series.dashed ? Qt::DashLine : ChartTheme::dash(series.colour)));
    line->setVisible(visible);
}

void addMark(QCustomPlot& plot, const ChartMark& mark, const ChartTheme& theme, const QFont& font)
{
    const bool across = mark.orientation == Qt::Horizontal;
    const QColor colour = mark.limit ? theme.bad : theme.muted;
    auto* line = new QCPItemStraightLine(&plot);
    line->setPen(QPen(colour, mark.limit ? 1.4 : 1, mark.limit ? Qt::DashLine : Qt::DotLine));
    line->point1->setCoords(across ? 1 : mark.at, across ? mark.at : 1);
    line->point2->setCoords(across ? 2 : mark.at, across ? mark.at : 2);
    auto* text = new QCPItemText(&plot);
    text->setText(mark.text);
    text->setFont(font);
    text->setColor(colour);
    text->setPadding(QMargins(3, 1, 3, 1));
    QColor ground = theme.background;
    ground.setAlphaF(0.8F);
    text->setBrush(ground);
    text->position->setTypeX(across ? QCPItemPosition::ptAxisRectRatio : QCPItemPosition::ptPlotCoords);
    text->position->setTypeY(across ? QCPItemPosition::ptPlotCoords : QCPItemPosition::ptAxisRectRatio);
    text->position->setCoords(across ? 0.005 : mark.at, across ? mark.at : 0.01);
    // Near the right edge the text stands left of its line, so that it is not cut off.
    const QCPRange range = plot.xAxis->range();
    const bool late = plot.xAxis->scaleType() == QCPAxis::stLogarithmic
        ? mark.at * mark.at > range.upper * std::sqrt(range.upper * range.lower)
        : mark.at > range.lower + 0.75 * range.size();
    text->setPositionAlignment(across     ? Qt::AlignLeft | Qt::AlignBottom
                                   : late ? Qt::AlignRight | Qt::AlignTop
                                          : Qt::AlignLeft | Qt::AlignTop);
    text->setClipToAxisRect(true);
}

// Room that one entry of the legend takes: the longest name with its mark.
int longestEntry(const ChartData& data, const QFont& font)
{
    constexpr int markAndGaps = 52; // px
    int widest = 40;
    for (const ChartSeries& series : data.series)
        widest = std::max(widest, QFontMetrics(font).horizontalAdvance(series.name));
    return widest + markAndGaps;
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

void scale(QCustomPlot& plot, const ChartData& data)
{
    bool any = false;
    for (int i = 0; i < plot.plottableCount(); ++i) {
        QCPAbstractPlottable* shown = plot.plottable(i);
        if (!shown->realVisibility())
            continue;
        shown->rescaleAxes(any);
        any = true;
    }
    if (!any)
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

void fillPlot(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden, const ChartTheme& theme,
              bool keepRange)
{
    plot.clearPlottables();
    plot.clearItems();
    plot.setBackground(theme.background);
    plot.axisRect()->setMinimumMargins(QMargins(6, 8, 14, 4));
    QFont font = plot.font();
    styleAxis(*plot.xAxis, data.x, theme, font);
    styleAxis(*plot.yAxis, data.y, theme, font);
    for (QCPAxis* axis : {plot.xAxis, plot.yAxis})
        axis->setVisible(!data.isEmpty()); // an empty frame from 0 to 5 would say something that is not so
    plot.legend->setVisible(data.series.size() > 1);
    plot.legend->setFont(font);
    plot.legend->setTextColor(theme.text);
    plot.legend->setBorderPen(Qt::NoPen);
    plot.legend->setBrush(Qt::NoBrush);
    plot.legend->setMargins(QMargins(8, 2, 8, 0));
    plot.legend->setColumnSpacing(14);
    plot.legend->setWrap(std::max(1, plot.width() / longestEntry(data, font)));
    plot.legend->setIconSize(22, 12);
    plot.legend->setRowSpacing(1);

    QHash<double, double> tops; // stacked: what already stands at each place
    for (qsizetype i = 0; i < data.series.size(); ++i) {
        const ChartSeries& series = data.series[i];
        const bool visible = !hidden.value(i);
        if (series.kind == ChartSeries::Kind::Line) {
            addLine(plot, series, visible, theme);
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
        marks->setVisible(visible);
    }
    for (int i = 0; i < plot.legend->itemCount(); ++i)
        if (auto* item = qobject_cast<QCPPlottableLegendItem*>(plot.legend->item(i)))
            item->setTextColor(item->plottable()->visible() ? theme.text : theme.grid);
    if (!keepRange)
        scale(plot, data);
    for (const auto& [axis, of] : {std::pair(plot.xAxis, &data.x), std::pair(plot.yAxis, &data.y)})
        if (of->categories.isEmpty())
            axis->setTicker(tickerFor(*of, axis->range()));
    for (const ChartMark& mark : data.marks)
        addMark(plot, mark, theme, font);
}

} // namespace headroom::app
