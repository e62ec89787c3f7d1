#include "app/desktop/panels/height_area.h"

#include <QEvent>

namespace headroom::app {

HeightArea::HeightArea(QWidget* content, QWidget* parent) : QScrollArea(parent)
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::NoFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setWidgetResizable(true);
    setWidget(content);
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
}

int HeightArea::heightForWidth(int width) const { return widget()->heightForWidth(width); }

QSize HeightArea::sizeHint() const { return widget()->sizeHint(); }

QSize HeightArea::minimumSizeHint() const
{
    constexpr int lowest = 120; // px: what the answer is, and whether it will do
    return {widget()->minimumSizeHint().width(), lowest};
}

bool HeightArea::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == widget() && event->type() == QEvent::LayoutRequest)
        updateGeometry(); // of the line below it, too
    return QScrollArea::eventFilter(watched, event);
}

} // namespace headroom::app
