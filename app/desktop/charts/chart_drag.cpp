// Lines of a chart that a hand or a key moves.
#include "app/desktop/charts/chart.h"
#include "app/desktop/charts/chart_mark_lines.h"

#include <QLabel>
#include <QMouseEvent>
#include <qcustomplot.h>

namespace headroom::app {

// A line that says a target is a handle for it.
bool Chart::dragMark(QEvent* event)
{
    if (event->type() != QEvent::MouseButtonPress && event->type() != QEvent::MouseMove
        && event->type() != QEvent::MouseButtonRelease)
        return false;
    const QPointF at = static_cast<QMouseEvent*>(event)->position();
    const bool held = !m_dragged.isEmpty();
    const ChartMark* const mark = held ? markOf(m_data, m_dragged) : markAt(*m_plot, m_data, at);
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        if (!mark || static_cast<QMouseEvent*>(event)->button() != Qt::LeftButton)
            return false;
        m_dragged = mark->drags;
        m_hoverText->hide();
        return true;
    case QEvent::MouseMove:
        if (held && mark)
            emit markDragged(m_dragged, valueAt(*m_plot, *mark, at));
        else if (mark)
            m_plot->setCursor(mark->orientation == Qt::Horizontal ? Qt::SplitVCursor : Qt::SplitHCursor);
        else
            m_plot->unsetCursor();
        return held;
    default:
        m_dragged.clear();
        return held;
    }
}

// Shift and an arrow move it by a twentieth.
bool Chart::stepMark(int key)
{
    constexpr double step = 1.05;
    for (const ChartMark& mark : m_data.marks) {
        if (mark.drags.isEmpty())
            continue;
        const bool across = mark.orientation == Qt::Horizontal;
        const bool more = key == (across ? Qt::Key_Up : Qt::Key_Right);
        if (!more && key != (across ? Qt::Key_Down : Qt::Key_Left))
            continue;
        emit markDragged(mark.drags, more ? mark.at * step : mark.at / step);
        return true;
    }
    return false;
}

} // namespace headroom::app
