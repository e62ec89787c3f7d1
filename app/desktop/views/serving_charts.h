#pragma once

#include "app/desktop/charts/chart_data.h"
#include "app/desktop/text/key_figure.h"
#include "model/ranges/served_ranges.h"
#include "model/serve/serving_view.h"

namespace headroom {
struct PlanView;
}

namespace headroom::app {

// With what 8 of 10 servers of others show of each.
[[nodiscard]] ChartData percentilesChart(const serve::ServingView& planView, const ServedRanges& ranges);
[[nodiscard]] ChartData distributionChart(const serve::ServingView& planView);
// Requests as rows: waiting, prefill, decode; as the engine batches them, and the same ones batched
// statically.
[[nodiscard]] ChartData ganttChart(const serve::ServingView& planView);
[[nodiscard]] ChartData staticGanttChart(const serve::ServingView& planView);
[[nodiscard]] ChartData cacheUseChart(const serve::ServingRun& run, double capacityTokens);
[[nodiscard]] ChartData loadSweepChart(const serve::ServingView& planView);
// Whether it is stable, and why.
[[nodiscard]] QString servingVerdict(const serve::ServingView& serving);
// What the verdict says of the answer: a load that nobody stated condemns nothing.
[[nodiscard]] Tone servingTone(const serve::ServingView& serving, const PlanView& planView);
// What the run assumed, and whether it was stopped early: lines.
[[nodiscard]] QStringList servingRemarks(const serve::ServingView& serving, const PlanView& planView);
// What a reader looks for first; the share that kept the targets where there are any.
[[nodiscard]] QVector<KeyFigure> servingFigures(const serve::ServingView& serving, const PlanView& planView);
// The same for a page: verdict, remarks, figures.
[[nodiscard]] QStringList servingSummary(const serve::ServingView& serving, const PlanView& planView);

} // namespace headroom::app
