#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/charts/chart_theme.h"

#include <qcustomplot.h>

namespace headroom::app {

// Bars, stacked bars, spans and sized points of one series: what QCustomPlot draws only in one plain colour.
class ChartMarks final : public QCPAbstractPlottable {
    Q_OBJECT

public:
    ChartMarks(QCPAxis* keys, QCPAxis* values);

    // `base` is where each bar begins: zero, or the top of the bar below.
    void show(const ChartSeries& series, QVector<double> base, bool horizontal, const ChartTheme& theme);
    [[nodiscard]] double diameter(qsizetype i) const; // of a point, px
    [[nodiscard]] QPointF centre(qsizetype point) const;
    [[nodiscard]] QRectF box(qsizetype point) const;
    [[nodiscard]] double top(qsizetype point) const; // end of a bar, stack included

    double selectTest(const QPointF& at, bool onlySelectable, QVariant* details = nullptr) const override;
    QCPRange getKeyRange(bool& found, QCP::SignDomain domain = QCP::sdBoth) const override;
    QCPRange getValueRange(bool& found, QCP::SignDomain domain = QCP::sdBoth,
                           const QCPRange& keys = QCPRange()) const override;

protected:
    void draw(QCPPainter* painter) override;
    void drawLegendIcon(QCPPainter* painter, const QRectF& rect) const override;

private:
    void drawBox(QCPPainter* painter, const QRectF& area) const;
    [[nodiscard]] bool hasInterval(qsizetype i) const;
    void drawWhisker(QCPPainter* painter, const QRectF& bar, qsizetype i) const;
    void drawPoint(QCPPainter* painter, const QPointF& at, double diameter) const;
    [[nodiscard]] QCPRange widen(const QVector<double>& values, QCP::SignDomain domain, double margin,
                                 bool& found) const;

    ChartSeries m_series;
    QVector<double> m_base;
    bool m_horizontal = false;
    ChartTheme m_theme;
};

} // namespace headroom::app
