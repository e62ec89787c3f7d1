#pragma once

#include "app/desktop/panels/explain_request.h"

#include <QString>

#include <optional>
#include <string_view>

namespace headroom {
struct Candidate;
struct PlanView;
namespace serve {
struct ServingView;
}
} // namespace headroom

namespace headroom::app {

// What a click on a point or a cell asks to be explained. A place that is no figure asks nothing.
[[nodiscard]] ExplainRequest explainAtBatch(const PlanView& planView, const QString& figure, double batch);
// The column of a table of candidates: one of their own figures, at their own load.
[[nodiscard]] std::optional<ExplainRequest>
explainCandidate(const Candidate& candidate, const PlanView& planView, std::string_view column);
[[nodiscard]] ExplainRequest explainOperatorAt(const PlanView& planView, int row);
[[nodiscard]] ExplainRequest explainSensitivity(const PlanView& planView, int row);
// A time of the simulation, by the names the chart gives it.
[[nodiscard]] ExplainRequest explainSimulated(const serve::ServingView& planView, const QString& figure,
                                              const QString& percentile, double seconds);

} // namespace headroom::app
