#pragma once

#include "model/advise/plan_view.h"
#include "model/base/result.h"
#include "model/base/run_control.h"
#include "model/ranges/served_ranges.h"
#include "model/serve/serving_view.h"

namespace headroom {

// The answer of a plan under its traffic, and how far others' servers are from what was played.
struct ReplayedAnswer {
    serve::ServingView serving;
    ServedRanges ranges;
};
[[nodiscard]] Result<ReplayedAnswer> replayAnswer(const PlanView& planView, const RunControl& control = {});

} // namespace headroom
