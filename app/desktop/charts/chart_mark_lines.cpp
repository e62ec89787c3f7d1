#include "app/desktop/charts/chart_mark_lines.h"

#include "app/desktop/charts/chart_points.h"

#include <qcustomplot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace headroom::app {

namespace {

constexpr double distance = 3;   // px between a line and its words
constexpr double sampleStep = 8; // px between the places of a line that are looked at

// What the data covers: points along lines, and whole boxes.
struct Covered {
    QVector<QPointF> places;
    QVector<QRectF> boxes;

    [[nodiscard]] double under(const QRectF& words) const
    {
        double cost = 0;
        for (const QPointF& place : places)
            cost += words.contains(place) ? 1 : 0;
        for (const QRectF& box : boxes) {
            const QRectF shared = box.intersected(words);
            cost += shared.width() * shared.height() / 60;
        }
        return cost;
    }
};

Covered coveredBy(const QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden)
{
    Covered out;
    for (int s = 0; s < data.series.size(); ++s) {
        const ChartSeries& series = data.series[s];
        if (hidden.value(s))
            continue;
        QPointF before;
        for (int p = 0; p < series.x.size(); ++p) {
            if (series.kind != ChartSeries::Kind::Line) {
                out.boxes << pointBox(plot, data, s, p);
                continue;
            }
            const QPointF at = pointPixel(plot, data, s, p);
            const double length = p > 0 ? QLineF(before, at).length() : 0;
            const int steps = std::clamp(static_cast<int>(length / sampleStep), 1, 400);
            for (int i = 1; i <= steps && p > 0; ++i)
                out.places << before + (at - before) * (double(i) / steps);
            before = at;
        }
    }
    return out;
}

// What the words of a line take up.
QSizeF sizeOf(const QString& words, const QFont& font)
{
    return QFontMetricsF(font).size(0, words) + QSizeF(6, 2);
}

bool isInPicture(const ChartMark& mark, const QCustomPlot& plot)
{
    const QCPAxis* axis = mark.orientation == Qt::Horizontal ? plot.yAxis : plot.xAxis;
    return std::isfinite(mark.at) && axis->range().contains(mark.at);
}

// Whether another line runs close above: then the words of this one give way downwards.
bool isBelowAnother(const ChartMark& mark, const ChartData& data, const QSizeF& words,
                    const QCustomPlot& plot)
{
    const double y = plot.yAxis->coordToPixel(mark.at);
    return std::any_of(data.marks.begin(), data.marks.end(), [&](const ChartMark& other) {
        const double above = y - plot.yAxis->coordToPixel(other.at);
        return other.orientation == Qt::Horizontal && above > 0 && above < 2 * words.height();
    });
}

// Outside the picture, at the end of the line: there words hide nothing.
QVector<QRectF> placesBeyond(const ChartMark& mark, const ChartData& data, const QSizeF& words,
                             const QCustomPlot& plot)
{
    const QRectF area = plot.axisRect()->rect();
    const QMargins room = plot.axisRect()->minimumMargins();
    QVector<QRectF> places;
    if (!isInPicture(mark, plot))
        return places;
    if (mark.orientation == Qt::Horizontal && room.right() >= words.width()) {
        const double y = plot.yAxis->coordToPixel(mark.at) - words.height() / 2;
        const double away = isBelowAnother(mark, data, words, plot) ? 1 : -1;
        for (const double lines : {0.0, 0.5, 1.0, -0.5, -1.0})
            places << QRectF(QPointF(area.right() + 1, y + away * lines * words.height()), words);
    }
    if (mark.orientation == Qt::Vertical && room.top() >= words.height()) {
        const double x = plot.xAxis->coordToPixel(mark.at);
        for (const double left : {x - words.width() / 2, x - distance, x - words.width() + distance})
            places << QRectF(QPointF(std::clamp(left, area.left() - distance,
                                                std::max(area.left(), area.right() - words.width())
                                                    + room.right() - distance),
                                     area.top() - words.height()),
                             words);
    }
    return places;
}

// Places that the words of a line may take, best first.
QVector<QRectF> placesFor(const ChartMark& mark, const ChartData& data, const QSizeF& words,
                          const QCustomPlot& plot)
{
    const QVector<QRectF> beyond = placesBeyond(mark, data, words, plot);
    if (!beyond.isEmpty() && mark.orientation == Qt::Horizontal)
        return beyond;
    const QRectF area = plot.axisRect()->rect();
    QVector<QRectF> places; // inside: where the words of a neighbour stand beyond already
    if (mark.orientation == Qt::Horizontal) {
        const double y = plot.yAxis->coordToPixel(mark.at);
        const double right = area.right() - words.width() - distance;
        for (const double x : {area.left() + distance, right, area.center().x() - words.width() / 2,
                               area.left() + area.width() * 0.25, area.left() + area.width() * 0.65})
            for (const double top : {y - words.height() - 1, y + 1})
                places << QRectF(QPointF(x, top), words);
    } else {
        const double x = plot.xAxis->coordToPixel(mark.at);
        const double bottom = area.bottom() - words.height() - distance;
        for (const double y : {area.top() + distance, bottom, area.center().y(),
                               area.top() + area.height() * 0.25, area.top() + area.height() * 0.7})
            for (const double left : {x + distance, x - words.width() - distance})
                places << QRectF(QPointF(left, y), words);
    }
    places.removeIf([&](const QRectF& place) { return !area.adjusted(-1, -1, 1, 1).contains(place); });
    return beyond + places;
}

double crossings(const QRectF& words, const ChartData& data, const QCustomPlot& plot)
{
    double count = 0;
    const QRectF area = plot.axisRect()->rect();
    if (words.left() >= area.right() || words.bottom() <= area.top() + 1)
        return 0; // lines end where the picture does
    for (const ChartMark& mark : data.marks) {
        const bool across = mark.orientation == Qt::Horizontal;
        const double at = across ? plot.yAxis->coordToPixel(mark.at) : plot.xAxis->coordToPixel(mark.at);
        count
            += across ? (at > words.top() && at < words.bottom()) : (at > words.left() && at < words.right());
    }
    return count;
}

// Beside a point, nearest first.
QVector<QRectF> placesAround(const QRectF& point, const QSizeF& words, const QCustomPlot& plot)
{
    const QRectF area = plot.axisRect()->rect();
    const double middle = point.center().y() - words.height() / 2;
    const double centre = point.center().x() - words.width() / 2;
    QVector<QRectF> places;
    for (const QPointF& at :
         {QPointF(point.right() + 1, middle), QPointF(point.left() - words.width() - 1, middle),
          QPointF(centre, point.top() - words.height()), QPointF(centre, point.bottom()),
          QPointF(point.right(), point.top() - words.height()), QPointF(point.right(), point.bottom()),
          QPointF(point.left() - words.width(), point.top() - words.height()),
          QPointF(point.left() - words.width(), point.bottom())})
        places << QRectF(at, words);
    places.removeIf([&](const QRectF& place) { return !area.adjusted(-1, -1, 1, 1).contains(place); });
    return places;
}

// Where a bar ends, beyond its interval.
QVector<QRectF> placesAtBar(const ChartData& data, int s, int p, const QSizeF& words, const QCustomPlot& plot)
{
    const ChartSeries& series = data.series[s];
    const QRectF bar = pointBox(plot, data, s, p);
    const double reach = p < series.high.size() ? std::max(series.high[p], series.y[p]) : series.y[p];
    if (data.horizontal) {
        const QRectF behind(
            QPointF(plot.xAxis->coordToPixel(reach) + distance, bar.center().y() - words.height() / 2),
            words);
        return behind.right() <= plot.width() ? QVector<QRectF>{behind} : QVector<QRectF>(); // whole or not
    }
    return {QRectF(
        QPointF(bar.center().x() - words.width() / 2, plot.yAxis->coordToPixel(reach) - words.height() - 1),
        words)};
}

// Behind the end of a line, where its axis goes on; else along its last stretch, over or under it, best where
// it ends.
QVector<QRectF> placesAtEnd(const QPointF& from, const QPointF& to, const QSizeF& words,
                            const QCustomPlot& plot)
{
    const QRectF area = plot.axisRect()->rect();
    const double right = std::min(to.x(), area.right()) - words.width() - distance;
    const double left = std::max(from.x(), area.left()) + distance;
    QVector<QRectF> places;
    if (to.x() + distance + words.width() <= area.right())
        for (const double lines : {0.0, -0.5, 0.5, -1.0, 1.0})
            places << QRectF(QPointF(to.x() + distance, to.y() + (lines - 0.5) * words.height()), words);
    for (const double x : {right, (left + right) / 2, left})
        if (x >= left || x == right)
            for (const double y : {to.y() - words.height() - 1, to.y() + 1})
                places << QRectF(QPointF(x, y), words);
    return places;
}

// Words in the picture and what they belong to: a mark, a point, or the end of a line.
struct Words {
    QCPItemText* item = nullptr;
    int mark = -1;
    int series = -1;
    int point = -1;
};

QVector<QRectF> placesOf(const Words& words, const QSizeF& size, const ChartData& data,
                         const QCustomPlot& plot)
{
    if (words.mark >= 0)
        return placesFor(data.marks[words.mark], data, size, plot);
    if (data.series[words.series].kind == ChartSeries::Kind::Line)
        return placesAtEnd(pointPixel(plot, data, words.series, std::max(0, words.point - 1)),
                           pointPixel(plot, data, words.series, words.point), size, plot);
    if (data.series[words.series].kind == ChartSeries::Kind::Bars)
        return placesAtBar(data, words.series, words.point, size, plot);
    return placesAround(pointBox(plot, data, words.series, words.point), size, plot);
}

void placeWords(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden,
                const QVector<Words>& all)
{
    constexpr double taboo = 1000;   // no words over others
    constexpr double leading = 0.05; // of their height, over and under the letters
    const Covered covered = coveredBy(plot, data, hidden);
    QVector<QRectF> taken;
    for (const Words& words : all) {
        const QSizeF size = sizeOf(words.item->text(), words.item->font());
        const QMarginsF blank(0, leading * size.height(), 0, leading * size.height());
        QRectF best;
        double least = std::numeric_limits<double>::max();
        double preference = 0;
        for (const QRectF& place : placesOf(words, size, data, plot)) {
            double cost = covered.under(place) + 4 * crossings(place, data, plot) + preference;
            for (const QRectF& other : taken)
                cost += (place - blank).intersects(other) ? taboo : 0;
            preference += 0.3;
            if (cost < least) {
                least = cost;
                best = place;
            }
        }
        // Out of the picture, or no room at all; the name of a point is worth less than its neighbours'.
        words.item->setVisible(!best.isNull() && (words.mark >= 0 || least < taboo));
        if (!words.item->visible())
            continue;
        words.item->position->setPixelPosition(best.topLeft());
        taken << best - blank;
    }
}

QCPItemText* addWords(QCustomPlot& plot, const QString& words, const QColor& colour, const ChartTheme& theme)
{
    auto* text = new QCPItemText(&plot);
    text->setText(words);
    text->setFont(plot.font());
    text->setColor(colour);
    text->setPadding(QMargins(3, 1, 3, 1));
    QColor ground = theme.background;
    ground.setAlphaF(0.8F);
    text->setBrush(ground);
    text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
    text->position->setType(QCPItemPosition::ptAbsolute);
    text->setClipToAxisRect(false);
    return text;
}

// Ends of lines, then the names of points, the largest first.
QVector<Words> wordsOfSeries(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden,
                             const ChartTheme& theme)
{
    QVector<Words> lines;
    QVector<Words> points;
    for (int s = 0; s < data.series.size(); ++s) {
        const ChartSeries& series = data.series[s];
        if (hidden.value(s) || series.x.isEmpty())
            continue;
        if (!series.endLabel.isEmpty())
            lines << Words{.item = addWords(plot, series.endLabel,
                                            series.quiet ? theme.muted : theme.colour(series.colour), theme),
                           .series = s,
                           .point = static_cast<int>(series.x.size()) - 1};
        for (int p = 0; p < series.captions.size(); ++p)
            if (!series.captions[p].isEmpty()) {
                points << Words{
                    .item = addWords(plot, series.captions[p], theme.text, theme), .series = s, .point = p};
                points.last().item->setBrush(Qt::NoBrush); // covers no neighbour
            }
    }
    const auto areaOf = [&](const Words& words) { return data.series[words.series].size.value(words.point); };
    std::stable_sort(points.begin(), points.end(),
                     [&](const Words& a, const Words& b) { return areaOf(a) > areaOf(b); });
    return lines + points;
}

} // namespace

QMargins roomForMarks(const QCustomPlot& plot, const ChartData& data)
{
    constexpr double widest = 0.24; // of the plot: the picture itself is worth more
    double right = 0;
    double top = 0;
    for (const ChartMark& mark : data.marks) {
        if (!isInPicture(mark, plot))
            continue;
        const QSizeF words = sizeOf(mark.text, plot.font());
        if (mark.orientation == Qt::Horizontal)
            right = std::max(right, words.width() + 2);
        else
            top = std::max(top, words.height() + 1);
    }
    if (right > widest * plot.width())
        right = 0;
    return {0, static_cast<int>(std::ceil(top)), static_cast<int>(std::ceil(right)), 0};
}

double endForValues(const QCustomPlot& plot, const ChartData& data)
{
    constexpr double least = 0.25; // of the picture: bars shorter than their words say nothing
    const double width = plot.axisRect()->width();
    double end = 0;
    for (const ChartSeries& series : data.series)
        for (qsizetype p = 0; p < series.x.size() && series.kind == ChartSeries::Kind::Bars; ++p) {
            const double reach = p < series.high.size() ? std::max(series.high[p], series.y[p]) : series.y[p];
            const double words = p < series.captions.size() && !series.captions[p].isEmpty()
                ? sizeOf(series.captions[p], plot.font()).width() + distance
                : 0;
            end = std::max(end, reach * width / std::max(width - words, least * width));
        }
    return end;
}

const ChartMark* markAt(const QCustomPlot& plot, const ChartData& data, const QPointF& at)
{
    constexpr double reach = 5; // px
    for (const ChartMark& mark : data.marks) {
        const bool across = mark.orientation == Qt::Horizontal;
        const double line = across ? plot.yAxis->coordToPixel(mark.at) : plot.xAxis->coordToPixel(mark.at);
        if (!mark.drags.isEmpty() && std::abs(line - (across ? at.y() : at.x())) <= reach
            && plot.axisRect()->rect().contains(at.toPoint()))
            return &mark;
    }
    return nullptr;
}

const ChartMark* markOf(const ChartData& data, const QString& key)
{
    const auto mark = std::find_if(data.marks.begin(), data.marks.end(),
                                   [&](const ChartMark& each) { return each.drags == key; });
    return mark == data.marks.end() ? nullptr : &*mark;
}

double valueAt(const QCustomPlot& plot, const ChartMark& mark, const QPointF& at)
{
    const bool across = mark.orientation == Qt::Horizontal;
    const QCPAxis& axis = across ? *plot.yAxis : *plot.xAxis;
    return std::clamp(axis.pixelToCoord(across ? at.y() : at.x()), axis.range().lower, axis.range().upper);
}

void addMarkLines(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden,
                  const ChartTheme& theme)
{
    QVector<Words> words;
    for (int i = 0; i < data.marks.size(); ++i) {
        const ChartMark& mark = data.marks[i];
        const bool across = mark.orientation == Qt::Horizontal;
        const QColor colour = mark.limit ? theme.bad : theme.muted;
        auto* line = new QCPItemStraightLine(&plot);
        line->setPen(QPen(colour, mark.limit ? 1.4 : 1, mark.limit ? Qt::DashLine : Qt::DotLine));
        line->point1->setCoords(across ? 1 : mark.at, across ? mark.at : 1);
        line->point2->setCoords(across ? 2 : mark.at, across ? mark.at : 2);
        words << Words{.item = addWords(plot, mark.text, colour, theme), .mark = i};
    }
    // Values behind bars have one place each; a mark finds another.
    const QVector<Words> named = wordsOfSeries(plot, data, hidden, theme);
    words = data.horizontal ? named + words : words + named;
    if (words.isEmpty())
        return;
    // Pixels are known only once the picture is laid out; the connection dies with the first text, that is
    // with the next filling.
    QObject::connect(&plot, &QCustomPlot::afterLayout, words.constFirst().item,
                     [&plot, data, hidden, words] { placeWords(plot, data, hidden, words); });
}

} // namespace headroom::app
