#pragma once

#include <QProxyStyle>

class QStyleOptionSlider;

namespace headroom::app {

// Fusion with less ornament, so that the figures stand out: thin scroll bars without arrows, flat column
// heads, tabs that are words with a line under the one that is shown.
class CalmStyle final : public QProxyStyle {
    Q_OBJECT

public:
    CalmStyle();

    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                         const QWidget* widget) const override;
    QSize sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& content,
                           const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
};

} // namespace headroom::app
