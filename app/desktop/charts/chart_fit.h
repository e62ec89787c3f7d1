#pragma once

#include "app/desktop/charts/chart_data.h"

class QCustomPlot;

namespace headroom::app {

// Too low for words beside the data: such a plot has no legend and no title at its upright axis. Both stand
// in the menu, the table and the texts under the pointer.
[[nodiscard]] bool isCompact(const QCustomPlot& plot);

// What depends on the room: margins, words of the axes, how many ticks, where lying bars end so that their
// values fit behind them, lines of the words in an empty picture. Now and whenever the plot is laid out,
// until it is filled again; `keepRange` and a hand that zooms leave the range alone.
void keepFitting(QCustomPlot& plot, const ChartData& data, bool keepRange);

// The name of the words that say why a picture is empty.
inline const QString whyEmpty = QStringLiteral("why-empty");

} // namespace headroom::app
