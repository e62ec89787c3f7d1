#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/charts/chart_theme.h"

class QCustomPlot;

namespace headroom::app {

// Draws the marks of a chart: a line across the picture for each, and its words where they hide least of the
// data and nothing of another mark's words.
void addMarkLines(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden,
                  const ChartTheme& theme);

} // namespace headroom::app
