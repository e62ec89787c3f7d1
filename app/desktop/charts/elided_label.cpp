#include "app/desktop/charts/elided_label.h"

#include <QPainter>

#include <algorithm>

namespace headroom::app {

QSize ElidedLabel::minimumSizeHint() const
{
    constexpr int shortest = 40; // px: a few letters and the ellipsis
    return {std::min(shortest, QLabel::minimumSizeHint().width()), QLabel::minimumSizeHint().height()};
}

void ElidedLabel::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setPen(palette().color(foregroundRole()));
    painter.drawText(contentsRect(), Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                     fontMetrics().elidedText(text(), Qt::ElideRight, contentsRect().width()));
}

} // namespace headroom::app

#include "moc_elided_label.cpp"
