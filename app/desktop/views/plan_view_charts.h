#pragma once

#include "app/desktop/charts/chart_data.h"

namespace headroom {
struct PlanView;
}

namespace headroom::app {

// The pictures of a plan view as data; the window shows them, the report prints them.
[[nodiscard]] ChartData memoryByBatchChart(const PlanView& planView);
[[nodiscard]] ChartData memoryByContextChart(const PlanView& planView);
[[nodiscard]] ChartData batchByContextChart(const PlanView& planView);
[[nodiscard]] ChartData speedByBatchChart(const PlanView& planView);
[[nodiscard]] ChartData throughputByBatchChart(const PlanView& planView);
[[nodiscard]] ChartData rooflineChart(const PlanView& planView);

} // namespace headroom::app
