#include "app/desktop/window/calm_style.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QTabBar>
#include <QTableView>

#include <algorithm>

namespace headroom::app {

namespace {

constexpr int barExtent = 12;     // px
constexpr int cellMargin = 5;     // so that a column of numbers and one of words do not touch
constexpr int thumbMargin = 3;    // on either side of the thumb
constexpr int shortestThumb = 28; // that a hand still meets
constexpr int tabMargins = 16;    // of both sides: eleven views stand beside each other
constexpr int tabLine = 2;        // under the tab that is shown

QColor mixed(const QColor& a, const QColor& b, float share)
{
    return QColor::fromRgbF(a.redF() * (1 - share) + b.redF() * share,
                            a.greenF() * (1 - share) + b.greenF() * share,
                            a.blueF() * (1 - share) + b.blueF() * share);
}

QRect thumbOf(const QStyleOptionSlider& bar)
{
    const bool lying = bar.orientation == Qt::Horizontal;
    const int room = lying ? bar.rect.width() : bar.rect.height();
    const qint64 all = qint64(bar.maximum) - bar.minimum + bar.pageStep;
    const int length = bar.maximum == bar.minimum
        ? room
        : std::clamp(static_cast<int>(qint64(bar.pageStep) * room / std::max<qint64>(1, all)),
                     std::min(shortestThumb, room), room);
    const int at = QStyle::sliderPositionFromValue(bar.minimum, bar.maximum, bar.sliderPosition,
                                                   room - length, bar.upsideDown);
    return lying ? QRect(bar.rect.left() + at, bar.rect.top(), length, bar.rect.height())
                 : QRect(bar.rect.left(), bar.rect.top() + at, bar.rect.width(), length);
}

// A line around what is chosen: on dark ground a darker button alone looks like one that is off.
void drawChosen(const QStyleOption& button, QPainter& painter)
{
    constexpr qreal line = 2;     // px
    constexpr qreal rounding = 3; // of the buttons
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(button.palette.color(QPalette::Highlight), line));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(QRectF(button.rect).adjusted(line / 2, line / 2, -line / 2, -line / 2), rounding,
                            rounding);
    painter.restore();
}

// The trough before and behind the thumb.
QRect pageOf(const QStyleOptionSlider& bar, bool behind)
{
    const QRect thumb = thumbOf(bar);
    QRect page = bar.rect;
    if (bar.orientation == Qt::Horizontal)
        behind ? page.setLeft(thumb.right() + 1) : page.setRight(thumb.left() - 1);
    else
        behind ? page.setTop(thumb.bottom() + 1) : page.setBottom(thumb.top() - 1);
    return page;
}

void drawScrollBar(const QStyleOptionSlider& bar, QPainter& painter)
{
    painter.fillRect(bar.rect, bar.palette.window());
    if (bar.maximum == bar.minimum)
        return;
    const bool held
        = (bar.state & QStyle::State_Sunken) && (bar.activeSubControls & QStyle::SC_ScrollBarSlider);
    const float strength = held ? 0.55F : (bar.state & QStyle::State_MouseOver) ? 0.42F : 0.26F;
    const bool lying = bar.orientation == Qt::Horizontal;
    const QRectF thumb = QRectF(thumbOf(bar))
                             .adjusted(lying ? 1 : thumbMargin, lying ? thumbMargin : 1,
                                       lying ? -1 : -thumbMargin, lying ? -thumbMargin : -1);
    const double round = std::min(thumb.width(), thumb.height()) / 2;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(
        mixed(bar.palette.color(QPalette::Window), bar.palette.color(QPalette::WindowText), strength));
    painter.drawRoundedRect(thumb, round, round);
    painter.restore();
}

void drawTab(const QStyleOptionTab& tab, QPainter& painter)
{
    const bool shown = tab.state & QStyle::State_Selected;
    if (!shown && (tab.state & QStyle::State_MouseOver))
        painter.fillRect(
            tab.rect.adjusted(0, 2, 0, -tabLine),
            mixed(tab.palette.color(QPalette::Window), tab.palette.color(QPalette::WindowText), 0.06F));
    if (shown)
        painter.fillRect(QRect(tab.rect.left(), tab.rect.bottom() - tabLine + 1, tab.rect.width(), tabLine),
                         tab.palette.highlight());
}

void drawColumnHead(const QStyleOption& head, QPainter& painter)
{
    painter.fillRect(head.rect, head.palette.window());
    painter.setPen(head.palette.color(QPalette::Mid));
    painter.drawLine(head.rect.bottomLeft(), head.rect.bottomRight());
}

// An outline that is seen on either ground.
void drawEditFrame(const QStyleOption& edit, QPainter& painter)
{
    const bool focused = edit.state & QStyle::State_HasFocus;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(
        QPen(edit.palette.color(focused ? QPalette::Highlight : QPalette::Mid), focused ? 1.5 : 1));
    painter.drawRoundedRect(QRectF(edit.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5);
    painter.restore();
}

// Fusion's own is darker than any dark ground.
void drawCheckFrame(const QStyleOption& box, QPainter& painter)
{
    constexpr float strength = 0.45F;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(
        mixed(box.palette.color(QPalette::Window), box.palette.color(QPalette::WindowText), strength));
    painter.drawRoundedRect(QRectF(box.rect).adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    painter.restore();
}

} // namespace

CalmStyle::CalmStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int CalmStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const
{
    switch (metric) {
    case PM_FocusFrameHMargin: // what stands to either side of a cell's words
        return qobject_cast<const QTableView*>(widget) ? cellMargin
                                                       : QProxyStyle::pixelMetric(metric, option, widget);
    case PM_HeaderMargin: // and of a column's title, over them
        if (const auto* head = qobject_cast<const QHeaderView*>(widget);
            head && head->orientation() == Qt::Horizontal)
            return cellMargin + 1;
        return QProxyStyle::pixelMetric(metric, option, widget);
    case PM_ScrollBarExtent:
        return barExtent;
    case PM_ScrollBarSliderMin:
        return shortestThumb;
    case PM_TabBarTabHSpace:
        return tabMargins;
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
    case PM_TabBarTabOverlap:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

// A column is as wide as its title; the one that is sorted by gets the room for its arrow when it is
// (TablePanel).
QSize CalmStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& content,
                                  const QWidget* widget) const
{
    const auto* head
        = type == CT_HeaderSection ? qstyleoption_cast<const QStyleOptionHeader*>(option) : nullptr;
    if (!head || head->sortIndicator == QStyleOptionHeader::None)
        return QProxyStyle::sizeFromContents(type, option, content, widget);
    QStyleOptionHeader plain = *head;
    plain.sortIndicator = QStyleOptionHeader::None;
    return QProxyStyle::sizeFromContents(type, &plain, content, widget);
}

QRect CalmStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                const QWidget* widget) const
{
    const auto* bar
        = control == CC_ScrollBar ? qstyleoption_cast<const QStyleOptionSlider*>(option) : nullptr;
    if (!bar)
        return QProxyStyle::subControlRect(control, option, part, widget);
    switch (part) {
    case SC_ScrollBarGroove:
        return bar->rect;
    case SC_ScrollBarSlider:
        return visualRect(bar->direction, bar->rect, thumbOf(*bar));
    case SC_ScrollBarSubPage:
    case SC_ScrollBarAddPage:
        return visualRect(bar->direction, bar->rect, pageOf(*bar, part == SC_ScrollBarAddPage));
    default:
        return {}; // no arrows
    }
}

void CalmStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                   QPainter* painter, const QWidget* widget) const
{
    if (const auto* bar = qstyleoption_cast<const QStyleOptionSlider*>(option);
        bar && control == CC_ScrollBar)
        return drawScrollBar(*bar, *painter);
    if (const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
        button && control == CC_ToolButton && (button->features & QStyleOptionToolButton::HasMenu)) {
        QStyleOptionToolButton plain = *button; // its words end in the arrow already
        plain.features &= ~QStyleOptionToolButton::ToolButtonFeatures(QStyleOptionToolButton::HasMenu);
        QProxyStyle::drawComplexControl(control, &plain, painter, widget);
    } else {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
    }
    if (control == CC_ToolButton && (option->state & State_On))
        drawChosen(*option, *painter);
}

void CalmStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                            const QWidget* widget) const
{
    if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option);
        tab && tab->shape == QTabBar::RoundedNorth) {
        if (element == CE_TabBarTabShape)
            return drawTab(*tab, *painter);
        if (element == CE_TabBarTabLabel && !(tab->state & State_Selected)) {
            QStyleOptionTab quiet = *tab;
            quiet.palette.setColor(QPalette::WindowText, tab->palette.color(QPalette::PlaceholderText));
            return QProxyStyle::drawControl(element, &quiet, painter, widget);
        }
    }
    if (element == CE_HeaderSection || element == CE_HeaderEmptyArea)
        return drawColumnHead(*option, *painter);
    QProxyStyle::drawControl(element, option, painter, widget);
}

void CalmStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                              const QWidget* widget) const
{
    if (element == PE_FrameTabBarBase) {
        painter->setPen(option->palette.color(QPalette::Mid));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        return;
    }
    if (element == PE_FrameLineEdit)
        return drawEditFrame(*option, *painter);
    QProxyStyle::drawPrimitive(element, option, painter, widget);
    if (element == PE_IndicatorCheckBox)
        drawCheckFrame(*option, *painter);
}

} // namespace headroom::app

#include "moc_calm_style.cpp"
