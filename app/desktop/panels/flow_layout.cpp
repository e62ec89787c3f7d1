#include "app/desktop/panels/flow_layout.h"

#include <QWidget>

namespace headroom::app {

FlowLayout::FlowLayout(QWidget* parent, int spacing, int lineSpacing)
    : QLayout(parent), m_lineSpacing(lineSpacing)
{
    setSpacing(spacing);
    setContentsMargins(0, 0, 0, 0);
}

FlowLayout::~FlowLayout() { qDeleteAll(m_items); }

void FlowLayout::addItem(QLayoutItem* item)
{
    QWidget* before = m_tabAfter;
    for (const QLayoutItem* each : m_items)
        if (each->widget() && each->widget()->focusPolicy() != Qt::NoFocus)
            before = each->widget();
    m_items << item;
    if (m_tabAfter && item->widget() && item->widget()->focusPolicy() != Qt::NoFocus)
        QWidget::setTabOrder(before, item->widget());
}

QLayoutItem* FlowLayout::takeAt(int index)
{
    return index >= 0 && index < m_items.size() ? m_items.takeAt(index) : nullptr;
}

void FlowLayout::clear()
{
    while (QLayoutItem* item = takeAt(0)) {
        if (QWidget* widget = item->widget()) {
            widget->hide();
            widget->deleteLater(); // a chip may be clearing its own line
        }
        delete item;
    }
    invalidate();
}

QSize FlowLayout::minimumSize() const
{
    QSize size;
    for (const QLayoutItem* item : m_items)
        size = size.expandedTo(item->minimumSize());
    const QMargins margins = contentsMargins();
    return size + QSize(margins.left() + margins.right(), margins.top() + margins.bottom());
}

void FlowLayout::setGeometry(const QRect& area)
{
    QLayout::setGeometry(area);
    arrange(area, true);
}

int FlowLayout::arrange(const QRect& area, bool move) const
{
    const QRect inside = area.marginsRemoved(contentsMargins());
    int x = inside.x();
    int y = inside.y();
    int line = 0;
    for (QLayoutItem* item : m_items) {
        const QSize size = item->sizeHint().boundedTo({std::max(40, inside.width()), 10000});
        if (x + size.width() > inside.right() + 1 && line > 0) {
            x = inside.x();
            y += line + m_lineSpacing;
            line = 0;
        }
        if (move)
            item->setGeometry({{x, y}, size});
        x += size.width() + spacing();
        line = std::max(line, size.height());
    }
    const QMargins margins = contentsMargins();
    return y + line - inside.y() + margins.top() + margins.bottom();
}

} // namespace headroom::app
