#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/charts/chart_theme.h"

#include <QMargins>

class QCustomPlot;

namespace headroom::app {

// What the words of the marks need beyond the picture: on the right of a line that lies, on top of one that
// stands. Nothing on the right where the plot is too narrow to give it.
[[nodiscard]] QMargins roomForMarks(const QCustomPlot& plot, const ChartData& data);

// Draws the marks of a chart: a line across the picture for each, and its words at its end beyond the
// picture; without room there, where they hide least of the data and nothing of another mark's words.
void addMarkLines(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden,
                  const ChartTheme& theme);

// The end of the lower axis at which the value of every lying bar has its room behind it.
[[nodiscard]] double endForValues(const QCustomPlot& plot, const ChartData& data);

// The line under the pointer that can be dragged; none where there is none.
[[nodiscard]] const ChartMark* markAt(const QCustomPlot& plot, const ChartData& data, const QPointF& at);
[[nodiscard]] const ChartMark* markOf(const ChartData& data, const QString& key);
// Where on its axis a line would stand that is dragged there; within what the axis shows.
[[nodiscard]] double valueAt(const QCustomPlot& plot, const ChartMark& mark, const QPointF& at);

} // namespace headroom::app
