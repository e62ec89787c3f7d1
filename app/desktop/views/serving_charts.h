#pragma once

#include "app/desktop/charts/chart_data.h"
#include "model/serve/serving_study.h"

namespace headroom::app {

[[nodiscard]] ChartData percentilesChart(const serve::ServingStudy& study);
[[nodiscard]] ChartData distributionChart(const serve::ServingStudy& study);
// Requests as rows: waiting, prefill, decode; as the engine batches them, and the same ones batched
// statically.
[[nodiscard]] ChartData ganttChart(const serve::ServingStudy& study);
[[nodiscard]] ChartData staticGanttChart(const serve::ServingStudy& study);
[[nodiscard]] ChartData cacheUseChart(const serve::ServingRun& run);
[[nodiscard]] ChartData loadSweepChart(const serve::ServingStudy& study);
// Verdict, rates, attainment, preemptions: one line each.
[[nodiscard]] QStringList servingSummary(const serve::ServingStudy& study);

} // namespace headroom::app
