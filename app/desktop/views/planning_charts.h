#pragma once

#include "app/desktop/charts/chart_data.h"

namespace headroom {
struct Study;
struct BreakPoint;
} // namespace headroom

namespace headroom::app {

// What there is to choose from, what moves the choice, and how it lasts; the window shows it, the report
// prints it.
[[nodiscard]] ChartData
tradeoffChart(const Study& study); // its first series: the Pareto set in the plan's order
[[nodiscard]] ChartData candidateCostChart(const Study& study);
[[nodiscard]] ChartData speedTornadoChart(const Study& study);
[[nodiscard]] ChartData gpuTornadoChart(const Study& study);
// Year by year, as the stated growth has it; year 0 is today.
[[nodiscard]] ChartData growthChart(const Study& study);
// Through a day (or a trace) of changing load: what comes, and what it takes.
[[nodiscard]] ChartData dayLoadChart(const Study& study);
[[nodiscard]] ChartData dayGpusChart(const Study& study);
[[nodiscard]] QString breakPointText(const Study& study, const BreakPoint& point);

} // namespace headroom::app
