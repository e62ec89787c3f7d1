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

// Places that the words of a line may take, best first.
QVector<QRectF> placesFor(const ChartMark& mark, const QSizeF& words, const QCustomPlot& plot)
{
    const QRectF area = plot.axisRect()->rect();
    QVector<QRectF> places;
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
    return places;
}

double crossings(const QRectF& words, const ChartData& data, const QCustomPlot& plot)
{
    double count = 0;
    for (const ChartMark& mark : data.marks) {
        const bool across = mark.orientation == Qt::Horizontal;
        const double at = across ? plot.yAxis->coordToPixel(mark.at) : plot.xAxis->coordToPixel(mark.at);
        count
            += across ? (at > words.top() && at < words.bottom()) : (at > words.left() && at < words.right());
    }
    return count;
}

void placeWords(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden,
                const QVector<QCPItemText*>& texts)
{
    const Covered covered = coveredBy(plot, data, hidden);
    QVector<QRectF> taken;
    for (qsizetype i = 0; i < texts.size(); ++i) {
        const QSizeF words = QFontMetricsF(texts[i]->font()).size(0, data.marks[i].text) + QSizeF(6, 2);
        QRectF best;
        double least = std::numeric_limits<double>::max();
        double preference = 0;
        for (const QRectF& place : placesFor(data.marks[i], words, plot)) {
            double cost = covered.under(place) + 4 * crossings(place, data, plot) + preference;
            for (const QRectF& other : taken)
                cost += place.intersects(other) ? 1000 : 0;
            preference += 0.3;
            if (cost < least) {
                least = cost;
                best = place;
            }
        }
        texts[i]->setVisible(!best.isNull()); // out of the picture, or no room at all
        if (best.isNull())
            continue;
        texts[i]->position->setPixelPosition(best.topLeft());
        taken << best;
    }
}

} // namespace

void addMarkLines(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden,
                  const ChartTheme& theme)
{
    QVector<QCPItemText*> texts;
    for (const ChartMark& mark : data.marks) {
        const bool across = mark.orientation == Qt::Horizontal;
        const QColor colour = mark.limit ? theme.bad : theme.muted;
        auto* line = new QCPItemStraightLine(&plot);
        line->setPen(QPen(colour, mark.limit ? 1.4 : 1, mark.limit ? Qt::DashLine : Qt::DotLine));
        line->point1->setCoords(across ? 1 : mark.at, across ? mark.at : 1);
        line->point2->setCoords(across ? 2 : mark.at, across ? mark.at : 2);
        auto* text = new QCPItemText(&plot);
        text->setText(mark.text);
        text->setFont(plot.font());
        text->setColor(colour);
        text->setPadding(QMargins(3, 1, 3, 1));
        QColor ground = theme.background;
        ground.setAlphaF(0.8F);
        text->setBrush(ground);
        text->setPositionAlignment(Qt::AlignLeft | Qt::AlignTop);
        text->position->setType(QCPItemPosition::ptAbsolute);
        text->setClipToAxisRect(false);
        texts << text;
    }
    if (texts.isEmpty())
        return;
    // Pixels are known only once the picture is laid out; the connection dies with the first text, that is
    // with the next filling.
    QObject::connect(&plot, &QCustomPlot::afterLayout, texts.constFirst(),
                     [&plot, data, hidden, texts] { placeWords(plot, data, hidden, texts); });
}

} // namespace headroom::app
