#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/text/key_figure.h"
#include "model/serve/serving_study.h"

namespace headroom {
struct Study;
}

namespace headroom::app {

[[nodiscard]] ChartData percentilesChart(const serve::ServingStudy& study);
[[nodiscard]] ChartData distributionChart(const serve::ServingStudy& study);
// Requests as rows: waiting, prefill, decode; as the engine batches them, and the same ones batched
// statically.
[[nodiscard]] ChartData ganttChart(const serve::ServingStudy& study);
[[nodiscard]] ChartData staticGanttChart(const serve::ServingStudy& study);
[[nodiscard]] ChartData cacheUseChart(const serve::ServingRun& run, double capacityTokens);
[[nodiscard]] ChartData loadSweepChart(const serve::ServingStudy& study);
// Whether it is stable, and why.
[[nodiscard]] QString servingVerdict(const serve::ServingStudy& serving);
// What the run assumed, and whether it was stopped early: lines.
[[nodiscard]] QStringList servingRemarks(const serve::ServingStudy& serving, const Study& study);
// What a reader looks for first; the share that kept the targets where there are any.
[[nodiscard]] QVector<KeyFigure> servingFigures(const serve::ServingStudy& serving, const Study& study);
// The same for a page: verdict, remarks, figures.
[[nodiscard]] QStringList servingSummary(const serve::ServingStudy& serving, const Study& study);

} // namespace headroom::app
