#pragma once

#include "app/desktop/panels/explain_request.h"

#include <QString>

#include <optional>
#include <string_view>

namespace headroom {
struct Candidate;
struct Study;
namespace serve {
struct ServingStudy;
}
} // namespace headroom

namespace headroom::app {

// What a click on a point or a cell asks to be explained. A place that is no figure asks nothing.
[[nodiscard]] ExplainRequest explainAtBatch(const Study& study, const QString& figure, double batch);
// The column of a table of candidates: one of their own figures, at their own load.
[[nodiscard]] std::optional<ExplainRequest> explainCandidate(const Candidate& candidate, const Study& study,
                                                             std::string_view column);
[[nodiscard]] ExplainRequest explainOperatorAt(const Study& study, int row);
[[nodiscard]] ExplainRequest explainSensitivity(const Study& study, int row);
// A time of the simulation, by the names the chart gives it.
[[nodiscard]] ExplainRequest explainSimulated(const serve::ServingStudy& study, const QString& figure,
                                              const QString& percentile, double seconds);

} // namespace headroom::app
