#include "app/desktop/drawing/gauge.h"

#include <QKeyEvent>
#include <QPainter>

#include <algorithm>

namespace headroom::app {

namespace {
constexpr double barHeight = 7;

void paintBar(QPainter& painter, const QRectF& bar, const GaugeReading& reading, const ChartTheme& theme,
              const QColor& colour)
{
    const auto at
        = [&](double v) { return bar.left() + bar.width() * std::clamp(v / reading.end, 0.0, 1.0); };
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.grid);
    painter.drawRoundedRect(bar, 3, 3);
    painter.setBrush(colour);
    painter.drawRoundedRect(
        QRectF(bar.left(), bar.top(), std::max(2.0, at(reading.value) - bar.left()), barHeight), 3, 3);
    if (reading.high > reading.low) { // the 10th to 90th percentile as a whisker over the bar
        painter.setPen(QPen(theme.text, 1.2));
        const double middle = bar.center().y();
        painter.drawLine(QPointF(at(reading.low), middle), QPointF(at(reading.high), middle));
        for (const double end : {reading.low, reading.high})
            painter.drawLine(QPointF(at(end), bar.top() + 1), QPointF(at(end), bar.bottom() - 1));
    }
    if (reading.limit > 0) {
        painter.setPen(QPen(theme.text, 2));
        painter.drawLine(QPointF(at(reading.limit), bar.top() - 3),
                         QPointF(at(reading.limit), bar.bottom() + 3));
    }
}
} // namespace

void paintGauge(QPainter& painter, const QRectF& area, const GaugeReading& reading, const ChartTheme& theme)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QFontMetricsF metrics(painter.font(), painter.device());
    const double line = metrics.height();
    painter.setPen(theme.muted);
    constexpr double titlePart = 0.5; // of the line, where the limit wants more than the rest
    const double between = metrics.horizontalAdvance(QStringLiteral("  "));
    const double limitWidth = metrics.horizontalAdvance(reading.limitText);
    const double titleWidth
        = std::min(metrics.horizontalAdvance(reading.title),
                   std::max(area.width() - limitWidth - between, titlePart * area.width()));
    painter.drawText(QRectF(area.left(), area.top(), area.width(), line), Qt::AlignLeft,
                     metrics.elidedText(reading.title, Qt::ElideRight, titleWidth));
    painter.drawText(
        QRectF(area.left(), area.top(), area.width(), line), Qt::AlignRight,
        metrics.elidedText(reading.limitText, Qt::ElideRight, area.width() - titleWidth - between));

    // Red, amber and green are verdicts; without a limit there is none.
    const QColor colour = reading.limit <= 0 ? theme.accent
        : !reading.keeps()                   ? theme.bad
        : reading.keepsSurely()              ? theme.good
                                             : theme.warn;
    QFont bold = painter.font();
    bold.setWeight(QFont::DemiBold);
    painter.setFont(bold);
    painter.setPen(theme.text);
    const QFontMetricsF boldMetrics(bold, painter.device());
    const QRectF values(area.left(), area.top() + line, area.width(), line);
    painter.drawText(values, Qt::AlignLeft, reading.text);
    bold.setWeight(QFont::Normal);
    painter.setFont(bold);
    painter.setPen(theme.muted);
    const double after = boldMetrics.horizontalAdvance(reading.text) + 8;
    painter.drawText(values.adjusted(after, 0, 0, 0), Qt::AlignLeft,
                     metrics.elidedText(reading.range, Qt::ElideRight, values.width() - after));

    if (reading.end <= 0) {
        painter.restore();
        return;
    }
    paintBar(painter, QRectF(area.left() + 0.5, area.top() + 2 * line + 4, area.width() - 1, barHeight),
             reading, theme, colour);
    painter.restore();
}

Gauge::Gauge(QWidget* parent) : QWidget(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setCursor(Qt::PointingHandCursor);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize Gauge::sizeHint() const { return {220, 2 * fontMetrics().height() + 20}; }

QSize Gauge::minimumSizeHint() const { return {236, sizeHint().height()}; }

void Gauge::setReading(const GaugeReading& reading)
{
    if (reading == m_reading)
        return;
    m_reading = reading;
    setAccessibleName(reading.title);
    setAccessibleDescription(
        QStringList{reading.text, reading.range, reading.limitText}.join(QStringLiteral(", ")));
    setToolTip(QStringLiteral("%1: %2\n%3")
                   .arg(reading.title, accessibleDescription(), tr("Click for the formula and its sources")));
    update();
}

void Gauge::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const ChartTheme theme = ChartTheme::from(palette());
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.drawRoundedRect(rect().adjusted(0, 0, -1, -1), 3, 3);
    }
    paintGauge(painter, QRectF(rect()).adjusted(4, 2, -4, -2), m_reading, theme);
}

void Gauge::mousePressEvent(QMouseEvent*) { emit clicked(); }

void Gauge::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space)
        emit clicked();
    else
        QWidget::keyPressEvent(event);
}

void Gauge::focusInEvent(QFocusEvent*) { update(); }
void Gauge::focusOutEvent(QFocusEvent*) { update(); }

} // namespace headroom::app

#include "moc_gauge.cpp"
