#pragma once

#include <QString>

class QHelpEvent;
class QWidget;

namespace headroom::app {

// What the pointer rests on, in words: a label, a button, the head of a column, a tab.
[[nodiscard]] QString wordsUnder(const QWidget& widget, const QHelpEvent& event);
// Shows what the words of the trade there mean, after the widget's own tip. False: there is nothing to add.
[[nodiscard]] bool showGlossaryTip(QWidget& widget, const QHelpEvent& event);

} // namespace headroom::app
