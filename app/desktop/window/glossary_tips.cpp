#include "app/desktop/window/glossary_tips.h"

#include "app/desktop/text/glossary.h"
#include "app/desktop/text/meant_words.h"

#include <QAbstractButton>
#include <QHeaderView>
#include <QHelpEvent>
#include <QLabel>
#include <QTabBar>
#include <QToolTip>

namespace headroom::app {

QString wordsUnder(const QWidget& widget, const QHelpEvent& event)
{
    if (const auto* label = qobject_cast<const QLabel*>(&widget))
        return label->textFormat() == Qt::RichText ? plainText(label->text()) : label->text();
    if (const auto* button = qobject_cast<const QAbstractButton*>(&widget))
        return button->text();
    if (const auto* tabs = qobject_cast<const QTabBar*>(&widget))
        return tabs->tabText(tabs->tabAt(event.pos()));
    if (const auto* heads = qobject_cast<const QHeaderView*>(widget.parentWidget()); heads && heads->model())
        return heads->model()
            ->headerData(heads->logicalIndexAt(event.pos()), heads->orientation(), Qt::DisplayRole)
            .toString();
    return widget.accessibleName();
}

bool showGlossaryTip(QWidget& widget, const QHelpEvent& event)
{
    const QString meant = glossaryTip(wordsUnder(widget, event));
    if (meant.isEmpty())
        return false;
    const QString own = widget.toolTip();
    const QString shown
        = Qt::mightBeRichText(own) ? own : own.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>"));
    QToolTip::showText(event.globalPos(), own.isEmpty() ? meant : shown + QStringLiteral("<hr>") + meant,
                       &widget);
    return true;
}

} // namespace headroom::app
