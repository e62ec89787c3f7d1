#pragma once

#include "model/advise/plan_view.h"
#include "model/report/explain.h"

namespace headroom {

// Figures of a plan view that belong to no prediction alone.

// How one operator's time came about.
[[nodiscard]] Explanation explainOperator(const Deployment& deployment, const OperatorFigure& figure);
// How sure it is that a candidate keeps the targets.
[[nodiscard]] Explanation explainConfidence(const Candidate& candidate, const Targets& targets);
// How many users a candidate carries with every target met.
[[nodiscard]] Explanation explainCarried(const Candidate& candidate);

} // namespace headroom
