#include "tests/app/desktop/cut_words.h"

#include "app/desktop/charts/elided_label.h"
#include "app/desktop/drawing/veil.h"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QComboBox>
#include <QLabel>
#include <QLayout>
#include <QMainWindow>
#include <QStyleOptionComboBox>
#include <QTabBar>

namespace headroom::app {

namespace {

// Inside what scrolls nothing is out of reach.
bool scrolls(const QWidget& widget)
{
    const auto* area = qobject_cast<const QAbstractScrollArea*>(widget.parentWidget());
    return area && area->viewport() == &widget;
}

QString nameOf(const QWidget& widget)
{
    const QString words = widget.property("text").toString().simplified();
    return QStringLiteral("%1 %2 “%3”")
        .arg(QString::fromLatin1(widget.metaObject()->className()), widget.objectName(), words.left(60));
}

QString wordsWithoutRoom(const QWidget& widget)
{
    QSize need;
    if (const auto* label = qobject_cast<const QLabel*>(&widget); label && !label->text().isEmpty()) {
        if (qobject_cast<const ElidedLabel*>(label))
            return {}; // says all of it in its tip
        need = label->wordWrap() ? QSize(0, label->heightForWidth(label->width())) : label->sizeHint();
    } else if (const auto* button = qobject_cast<const QAbstractButton*>(&widget);
               button && !button->text().isEmpty())
        need = button->sizeHint();
    else if (const auto* box = qobject_cast<const QComboBox*>(&widget);
             box && box->toolTip() != box->currentText()) {
        QStyleOptionComboBox option;
        option.initFrom(box);
        option.editable = box->isEditable();
        const QRect room
            = box->style()->subControlRect(QStyle::CC_ComboBox, &option, QStyle::SC_ComboBoxEditField, box);
        need = {box->fontMetrics().horizontalAdvance(box->currentText()) + box->width() - room.width(), 0};
    }
    return need.width() > widget.width() + 1 || need.height() > widget.height() + 1
        ? QStringLiteral("has %1 x %2, needs %3 x %4")
              .arg(widget.width())
              .arg(widget.height())
              .arg(need.width())
              .arg(need.height())
        : QString();
}

// Of a layout: what is laid over on purpose is in none.
QStringList overlapsIn(const QLayout& layout)
{
    QStringList found;
    for (int i = 0; i < layout.count(); ++i) {
        const QWidget* const one = layout.itemAt(i)->widget();
        for (int j = i + 1; one && one->isVisible() && j < layout.count(); ++j)
            if (const QWidget* const other = layout.itemAt(j)->widget();
                other && other->isVisible() && one->geometry().intersects(other->geometry()))
                found << nameOf(*one) + QStringLiteral(" lies on ") + nameOf(*other);
        if (const QLayout* const inner = layout.itemAt(i)->layout())
            found << overlapsIn(*inner);
    }
    return found;
}

} // namespace

QStringList cutWords(const QWidget& window)
{
    QStringList found;
    for (const QWidget* const widget : window.findChildren<QWidget*>()) {
        if (!widget->isVisible() || widget->isWindow() || qobject_cast<const Veil*>(widget)
            || qobject_cast<const QMainWindow*>(
                widget->parentWidget())) // docks under others are kept out of it
            continue;
        if (const QString why = wordsWithoutRoom(*widget); !why.isEmpty())
            found << nameOf(*widget) + u' ' + why;
        const QWidget* const parent = widget->parentWidget();
        const bool tabs = qobject_cast<const QTabBar*>(parent) != nullptr; // its arrows and buttons
        if (parent && !scrolls(*parent) && !tabs
            && !parent->rect().adjusted(-1, -1, 1, 1).contains(widget->geometry()))
            found << nameOf(*widget) + QStringLiteral(" reaches out of ") + nameOf(*parent);
        if (widget->layout() && !qobject_cast<const QMainWindow*>(widget))
            found << overlapsIn(*widget->layout());
    }
    return found;
}

} // namespace headroom::app
