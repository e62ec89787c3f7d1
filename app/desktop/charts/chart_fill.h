#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/charts/chart_theme.h"

class QCustomPlot;

namespace headroom::app {

// What every plot of ours begins with; once, before it is filled.
void setUpPlot(QCustomPlot& plot);

// Makes a plot show the data: axes, grid, series, marks, legend. `keepRange` leaves the zoom alone.
void fillPlot(QCustomPlot& plot, const ChartData& data, const QVector<bool>& hidden, const ChartTheme& theme,
              bool keepRange);

} // namespace headroom::app
