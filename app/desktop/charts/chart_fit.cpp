#include "app/desktop/charts/chart_fit.h"

#include "app/desktop/charts/chart_mark_lines.h"

#include <QTextLayout>
#include <qcustomplot.h>

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {

// In two lines, broken where they are most alike; empty where that does not do either.
QString twoLines(const QString& title, const QFontMetrics& metrics, int room)
{
    qsizetype best = -1;
    for (qsizetype at = title.indexOf(u' '); at > 0; at = title.indexOf(u' ', at + 1))
        if (best < 0 || std::abs(title.size() - 2 * at) < std::abs(title.size() - 2 * best))
            best = at;
    if (best < 0
        || std::max(metrics.horizontalAdvance(title.left(best)),
                    metrics.horizontalAdvance(title.mid(best + 1)))
            > room)
        return {};
    return title.left(best) + u'\n' + title.mid(best + 1);
}

// What is measured is cut before the unit is, and broken into two lines before it is cut.
QString shortTitle(const ChartAxis& axis, const QFontMetrics& metrics, int room)
{
    const QString unit = axis.unit.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(axis.unit);
    if (metrics.horizontalAdvance(axis.title + unit) > room)
        if (const QString broken = twoLines(axis.title + unit, metrics, room); !broken.isEmpty())
            return broken;
    return metrics.elidedText(axis.title, Qt::ElideRight, std::max(0, room - metrics.horizontalAdvance(unit)))
        + unit;
}

// Room beyond the picture for the words of lines. Whether anything changed.
bool fitMargins(QCustomPlot& plot, const ChartData& data)
{
    const QMargins least(6, 8, 14, 4);
    const QMargins words = data.isEmpty() ? QMargins() : roomForMarks(plot, data);
    const QMargins margins = words | least;
    const bool changed = plot.axisRect()->minimumMargins() != margins;
    plot.axisRect()->setMinimumMargins(margins);
    return changed;
}

// At most so many ticks; whether that is news.
bool fitTicks(QCPAxis& axis, int room, int each, int most)
{
    const int ticks = std::clamp(room / std::max(1, each), 2, most);
    const bool changed = axis.ticker()->tickCount() != ticks;
    axis.ticker()->setTickCount(ticks);
    return changed;
}

bool setNames(QCPAxis& axis, const QSharedPointer<QCPAxisTickerText>& names)
{
    const auto before = axis.ticker().dynamicCast<QCPAxisTickerText>();
    const bool changed = !before || before->ticks() != names->ticks();
    axis.setTicker(names);
    return changed;
}

// Names of places below the picture: every second or third where they are crowded.
bool fitNamesBelow(QCustomPlot& plot, const QStringList& places)
{
    const QFontMetrics metrics(plot.xAxis->tickLabelFont());
    int widest = 1;
    for (const QString& name : places)
        widest = std::max(widest, metrics.horizontalAdvance(name));
    constexpr int between = 6; // px
    const double each = std::max(1, plot.axisRect()->width()) / static_cast<double>(places.size());
    const auto stride = std::max<qsizetype>(1, static_cast<qsizetype>(std::ceil((widest + between) / each)));
    const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    for (qsizetype i = 0; i < places.size(); i += stride)
        names->addTick(static_cast<double>(i), places[i]);
    return setNames(*plot.xAxis, names);
}

// Names of places beside the picture, their first lines first: as many as each place is high, as wide as
// leaves more to the picture.
bool fitNamesBeside(QCustomPlot& plot, const QStringList& places)
{
    constexpr double widest = 0.45; // of the plot
    const QFontMetrics metrics(plot.yAxis->tickLabelFont());
    const double each = plot.axisRect()->height() / static_cast<double>(places.size());
    const auto lines = std::max<qsizetype>(1, static_cast<qsizetype>(each / metrics.height()));
    const auto stride
        = std::max<qsizetype>(1, static_cast<qsizetype>(std::ceil(metrics.ascent() / std::max(1.0, each))));
    const QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    for (qsizetype i = 0; i < places.size(); i += stride) {
        QStringList shown = places[i].split(u'\n').mid(0, lines);
        for (QString& line : shown)
            line = metrics.elidedText(line, Qt::ElideRight, static_cast<int>(widest * plot.width()));
        names->addTick(static_cast<double>(i), shown.join(u'\n'));
    }
    return setNames(*plot.yAxis, names);
}

// Words of the axes as far as there is room for them. Whether anything changed: the room is known only once
// the picture is laid out.
bool fitAxisWords(QCustomPlot& plot, const ChartData& data)
{
    const QRect room = plot.axisRect()->rect();
    const QFontMetrics metrics(plot.yAxis->labelFont());
    bool changed = false;
    for (const auto& [axis, title] :
         {std::pair(plot.yAxis, isCompact(plot) ? QString() : shortTitle(data.y, metrics, room.height())),
          std::pair(plot.xAxis, shortTitle(data.x, metrics, room.width()))}) {
        changed = changed || axis->label() != title;
        axis->setLabel(title);
    }
    const int wide = metrics.horizontalAdvance(QStringLiteral("10,000")) * 3 / 2; // and some beside it
    const bool beside = data.y.categories.isEmpty()
        ? fitTicks(*plot.yAxis, room.height(), (data.y.logarithmic ? 3 : 4) * metrics.height() / 2, 6)
        : fitNamesBeside(plot, data.y.categories);
    const bool below = data.x.categories.isEmpty() ? fitTicks(*plot.xAxis, room.width(), wide, 8)
                                                   : fitNamesBelow(plot, data.x.categories);
    return changed || beside || below;
}

QString wrapped(const QString& text, const QFont& font, double width)
{
    QStringList lines;
    for (const QString& paragraph : text.split(u'\n')) {
        QTextLayout layout(paragraph, font);
        QTextOption option;
        option.setWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
        layout.setTextOption(option);
        layout.beginLayout();
        for (QTextLine line = layout.createLine(); line.isValid(); line = layout.createLine()) {
            line.setLineWidth(width);
            lines << paragraph.mid(line.textStart(), line.textLength()).trimmed();
        }
        layout.endLayout();
    }
    return lines.join(u'\n');
}

void fitWhyEmpty(QCustomPlot& plot, const ChartData& data)
{
    constexpr double sides = 20; // px
    if (auto* words = plot.findChild<QCPItemText*>(whyEmpty, Qt::FindDirectChildrenOnly))
        words->setText(wrapped(data.whenEmpty, words->font(), std::max(sides, plot.width() - sides)));
}

// Where the picture ends, so that every value stands behind its bar. `ours` is the end that was last set
// here: another is that of a hand that zooms.
bool fitValues(QCustomPlot& plot, const ChartData& data, double& ours)
{
    const QCPRange range = plot.xAxis->range();
    const double end = endForValues(plot, data);
    if (!data.horizontal || end <= range.lower || range.upper != ours || std::abs(end - ours) <= 1e-6 * end)
        return false;
    ours = end;
    plot.xAxis->setRangeUpper(end);
    return true;
}

} // namespace

bool isCompact(const QCustomPlot& plot)
{
    constexpr int lowest = 150; // px: an axis with its numbers, and a few lines of legend
    return plot.height() < lowest;
}

void keepFitting(QCustomPlot& plot, const ChartData& data, bool keepRange)
{
    fitMargins(plot, data);
    fitAxisWords(plot, data);                        // in the place of the picture before
    const QString fitter = QStringLiteral("fitter"); // goes with the next filling
    delete plot.findChild<QObject*>(fitter, Qt::FindDirectChildrenOnly);
    auto* fits = new QObject(&plot);
    fits->setObjectName(fitter);
    const double end = keepRange ? std::nan("") : plot.xAxis->range().upper;
    QObject::connect(&plot, &QCustomPlot::afterLayout, fits, [&plot, data, ours = end]() mutable {
        fitWhyEmpty(plot, data);
        const bool moved = fitMargins(plot, data);
        const bool renamed = fitAxisWords(plot, data);
        if (fitValues(plot, data, ours) || moved || renamed)
            plot.replot(QCustomPlot::rpQueuedReplot);
    });
}

} // namespace headroom::app
