#pragma once

#include "app/desktop/charts/chart_data.h"

namespace headroom {
struct Study;
}

namespace headroom::app {

// The pictures of a study as data; the window shows them, the report prints them.
[[nodiscard]] ChartData memoryByBatchChart(const Study& study);
[[nodiscard]] ChartData memoryByContextChart(const Study& study);
[[nodiscard]] ChartData batchByContextChart(const Study& study);
[[nodiscard]] ChartData speedByBatchChart(const Study& study);
[[nodiscard]] ChartData throughputByBatchChart(const Study& study);
[[nodiscard]] ChartData rooflineChart(const Study& study);

} // namespace headroom::app
