#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/text/key_figure.h"
#include "app/probe/search.h"

namespace headroom {
struct PlanView;
}

namespace headroom::app {

// Percentiles of each level over what the plan foretells for as many users.
[[nodiscard]] ChartData probedBetweenChart(const PlanView& planView, const probe::ProbeReport& report);
[[nodiscard]] ChartData probedFirstChart(const PlanView& planView, const probe::ProbeReport& report);
// The most users, and how far the prediction was off in the middle.
[[nodiscard]] QVector<KeyFigure> probeFigures(const PlanView& planView, const probe::ProbeReport& report);

} // namespace headroom::app
