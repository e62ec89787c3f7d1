#pragma once

#include "model/search/sizing_plan.h"

#include <optional>

namespace headroom {

// The largest service on the answer's accelerator that is too small, with the reason: one replica less than
// the least that works, or, where that has one, the first that was looked at. None where nothing of it is
// known.
[[nodiscard]] std::optional<Candidate> nextTooFew(const SizingPlan& plan);

} // namespace headroom
