#include "app/desktop/charts/chart_marks.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

namespace {
constexpr double barWidth = 0.66;   // of the distance between two categories
constexpr double smallestPoint = 7; // px
constexpr double largestPoint = 26;

// Circle, square, triangle, diamond, then again; shifted by one where the colours begin anew, so that no two
// series look the same.
int shapeOf(int colour) { return (colour + colour / ChartTheme::colours) % 4; }

QPolygonF markerShape(int colour, const QPointF& at, double diameter)
{
    const double r = diameter / 2;
    switch (shapeOf(colour)) {
    case 1:
        return QRectF(at.x() - r * 0.86, at.y() - r * 0.86, r * 1.72, r * 1.72);
    case 2:
        return QPolygonF(
            {{at.x(), at.y() - r}, {at.x() + r, at.y() + r * 0.8}, {at.x() - r, at.y() + r * 0.8}});
    default:
        return QPolygonF(
            {{at.x(), at.y() - r}, {at.x() + r, at.y()}, {at.x(), at.y() + r}, {at.x() - r, at.y()}});
    }
}
} // namespace

ChartMarks::ChartMarks(QCPAxis* keys, QCPAxis* values) : QCPAbstractPlottable(keys, values) {}

void ChartMarks::show(const ChartSeries& series, QVector<double> base, bool horizontal,
                      const ChartTheme& theme)
{
    m_series = series;
    m_base = std::move(base);
    m_horizontal = horizontal;
    m_theme = theme;
    setName(series.name);
}

QRectF ChartMarks::box(qsizetype i) const
{
    if (m_series.kind == ChartSeries::Kind::Spans) {
        const double left = mKeyAxis->coordToPixel(m_series.from[i]);
        const double right = mKeyAxis->coordToPixel(m_series.x[i]);
        const double top = mValueAxis->coordToPixel(m_series.y[i] + 0.42);
        const double bottom = mValueAxis->coordToPixel(m_series.y[i] - 0.42);
        return QRectF(QPointF(left, top), QPointF(std::max(right, left + 0.6), bottom)).normalized();
    }
    // The key axis is vertical when bars lie down; the pixel of a key is then a height.
    const double key = m_series.x[i];
    const double a = mKeyAxis->coordToPixel(key - barWidth / 2);
    const double b = mKeyAxis->coordToPixel(key + barWidth / 2);
    const double from = mValueAxis->coordToPixel(m_base.value(i));
    const double to = mValueAxis->coordToPixel(top(i));
    return (m_horizontal ? QRectF(QPointF(from, a), QPointF(to, b))
                         : QRectF(QPointF(a, from), QPointF(b, to)))
        .normalized();
}

double ChartMarks::top(qsizetype i) const { return m_base.value(i) + m_series.y[i]; }

double ChartMarks::diameter(qsizetype i) const
{
    const double share = m_series.size.isEmpty() ? 0.0 : std::clamp(m_series.size.value(i), 0.0, 1.0);
    return smallestPoint + (largestPoint - smallestPoint) * std::sqrt(share);
}

QPointF ChartMarks::centre(qsizetype i) const
{
    if (m_series.kind == ChartSeries::Kind::Points)
        return {mKeyAxis->coordToPixel(m_series.x[i]), mValueAxis->coordToPixel(m_series.y[i])};
    return box(i).center();
}

void ChartMarks::drawBox(QCPPainter* painter, const QRectF& area) const
{
    const QColor colour = m_theme.colour(m_series.colour);
    painter->setPen(Qt::NoPen);
    painter->setBrush(colour);
    painter->drawRect(area);
    if (const Qt::BrushStyle style = ChartTheme::hatching(m_series.colour);
        style != Qt::NoBrush && area.width() > 5 && area.height() > 5) {
        QColor ink = m_theme.background;
        ink.setAlphaF(0.38F);
        painter->setBrush(QBrush(ink, style));
        painter->drawRect(area);
    }
    if (area.width() > 3 && area.height() > 3) {
        painter->setPen(QPen(m_theme.background, 1));
        painter->setBrush(Qt::NoBrush);
        painter->drawRect(area);
    }
}

bool ChartMarks::hasInterval(qsizetype i) const
{
    return i < m_series.low.size() && i < m_series.high.size() && m_series.high[i] > m_series.low[i];
}

// The 10th to 90th percentile along the middle of a bar.
void ChartMarks::drawWhisker(QCPPainter* painter, const QRectF& bar, qsizetype i) const
{
    constexpr double cap = 3; // px to either side
    const double low = mValueAxis->coordToPixel(m_base.value(i) + m_series.low[i]);
    const double high = mValueAxis->coordToPixel(m_base.value(i) + m_series.high[i]);
    const QPointF middle = bar.center();
    painter->setPen(QPen(m_theme.text, 1.2));
    const auto point = [&](double at, double aside) {
        return m_horizontal ? QPointF(at, middle.y() + aside) : QPointF(middle.x() + aside, at);
    };
    painter->drawLine(point(low, 0), point(high, 0));
    for (const double end : {low, high})
        painter->drawLine(point(end, -cap), point(end, cap));
}

void ChartMarks::drawPoint(QCPPainter* painter, const QPointF& at, double diameter) const
{
    QColor fill = m_theme.colour(m_series.colour);
    painter->setPen(QPen(fill, 1.2));
    fill.setAlphaF(m_series.size.isEmpty() ? 0.75F : 0.45F);
    painter->setBrush(fill);
    if (shapeOf(m_series.colour) == 0)
        painter->drawEllipse(at, diameter / 2, diameter / 2);
    else
        painter->drawPolygon(markerShape(m_series.colour, at, diameter));
}

void ChartMarks::draw(QCPPainter* painter)
{
    const QRectF clip = clipRect().adjusted(-30, -30, 30, 30);
    const bool points = m_series.kind == ChartSeries::Kind::Points;
    applyDefaultAntialiasingHint(painter);
    for (qsizetype i = 0; i < m_series.x.size(); ++i) {
        if (!points) {
            const QRectF area = box(i);
            if (area.intersects(clip))
                drawBox(painter, area.intersected(clip));
            if (hasInterval(i))
                drawWhisker(painter, area, i);
            continue;
        }
        const QPointF at = centre(i);
        if (!clip.contains(at))
            continue;
        if (hasInterval(i)) {
            painter->setPen(QPen(m_theme.colour(m_series.colour), 1));
            painter->drawLine(QPointF(at.x(), mValueAxis->coordToPixel(m_series.low[i])),
                              QPointF(at.x(), mValueAxis->coordToPixel(m_series.high[i])));
        }
        drawPoint(painter, at, diameter(i));
    }
}

void ChartMarks::drawLegendIcon(QCPPainter* painter, const QRectF& rect) const
{
    applyDefaultAntialiasingHint(painter);
    if (m_series.kind == ChartSeries::Kind::Points)
        drawPoint(painter, rect.center(), 9);
    else
        drawBox(painter, QRectF(rect.left() + 4, rect.center().y() - 3.5, rect.width() - 8, 7));
}

double ChartMarks::selectTest(const QPointF& at, bool, QVariant* details) const
{
    double best = -1;
    for (qsizetype i = 0; i < m_series.x.size(); ++i) {
        const double distance = m_series.kind == ChartSeries::Kind::Points
            ? QLineF(centre(i), at).length()
            : (box(i).adjusted(-1, -1, 1, 1).contains(at) ? 0.0 : 1e6);
        if (best < 0 || distance < best) {
            best = distance;
            if (details)
                details->setValue(static_cast<int>(i));
        }
    }
    return best;
}

QCPRange ChartMarks::widen(const QVector<double>& values, QCP::SignDomain domain, double margin,
                           bool& found) const
{
    QCPRange range;
    found = false;
    for (const double value : values) {
        if (!std::isfinite(value) || (domain == QCP::sdPositive && value <= 0))
            continue;
        range = found ? QCPRange(std::min(range.lower, value - margin), std::max(range.upper, value + margin))
                      : QCPRange(value - margin, value + margin);
        found = true;
    }
    return range;
}

QCPRange ChartMarks::getKeyRange(bool& found, QCP::SignDomain domain) const
{
    const double margin = m_series.kind == ChartSeries::Kind::Bars ? 0.5 : 0;
    return widen(m_series.x + m_series.from, domain, margin, found);
}

QCPRange ChartMarks::getValueRange(bool& found, QCP::SignDomain domain, const QCPRange&) const
{
    if (m_series.kind == ChartSeries::Kind::Spans)
        return widen(m_series.y, domain, 0.5, found);
    if (m_series.kind == ChartSeries::Kind::Points)
        return widen(m_series.y + m_series.low + m_series.high, domain, 0, found);
    QVector<double> ends{0};
    for (qsizetype i = 0; i < m_series.y.size(); ++i)
        ends << top(i) << (hasInterval(i) ? m_base.value(i) + m_series.high[i] : 0);
    return widen(ends, domain, 0, found);
}

} // namespace headroom::app

#include "moc_chart_marks.cpp"
