#pragma once

#include "app/desktop/charts/chart_theme.h"

#include <QString>
#include <QWidget>

class QPainter;

namespace headroom::app {

// A figure on a bar with its interval and the limit it must keep.
struct GaugeReading {
    QString title;     // "Speed for each user"
    QString text;      // "31 tok/s"
    QString range;     // "27 – 35"
    QString limitText; // "target 20"
    double value = 0;
    double low = 0;
    double high = 0;
    double limit = 0;          // 0: none
    double end = 1;            // of the bar; 0: nothing to hold the figure against, so no bar
    bool limitIsFloor = false; // speed must be above, time and memory below

    [[nodiscard]] bool keeps() const
    {
        return limit <= 0 || (limitIsFloor ? value >= limit : value <= limit);
    }
    [[nodiscard]] bool keepsSurely() const
    {
        return limit <= 0 || (limitIsFloor ? low >= limit : high <= limit);
    }
    friend bool operator==(const GaugeReading&, const GaugeReading&) = default;
};

void paintGauge(QPainter& painter, const QRectF& area, const GaugeReading& reading, const ChartTheme& theme);

class Gauge final : public QWidget {
    Q_OBJECT

public:
    explicit Gauge(QWidget* parent = nullptr);
    void setReading(const GaugeReading& reading);
    [[nodiscard]] const GaugeReading& reading() const { return m_reading; }
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

signals:
    void clicked();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    GaugeReading m_reading;
};

} // namespace headroom::app
