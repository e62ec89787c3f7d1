#pragma once

#include "app/desktop/charts/chart_data.h"

namespace headroom {
struct PlanView;
struct BreakPoint;
} // namespace headroom

namespace headroom::app {

// What there is to choose from, what moves the choice, and how it lasts; the window shows it, the report
// prints it.
[[nodiscard]] ChartData
tradeoffChart(const PlanView& planView); // its first series: the Pareto set in the plan's order
[[nodiscard]] ChartData candidateCostChart(const PlanView& planView);
[[nodiscard]] ChartData speedTornadoChart(const PlanView& planView);
[[nodiscard]] ChartData gpuTornadoChart(const PlanView& planView);
// Year by year, as the stated growth has it; year 0 is today.
[[nodiscard]] ChartData growthChart(const PlanView& planView);
// Through a day (or a trace) of changing load: what comes, and what it takes.
[[nodiscard]] ChartData dayLoadChart(const PlanView& planView);
[[nodiscard]] ChartData dayGpusChart(const PlanView& planView);
[[nodiscard]] QString breakPointText(const PlanView& planView, const BreakPoint& point);

} // namespace headroom::app
