#pragma once

#include "model/deploy/deployment.h"

namespace headroom {

// Load of the busiest of the ranks that experts are spread over, over the mean of all. `experts`: that one
// rank holds; `choices`: pairs of token and expert that a rank meets in a step on average.
[[nodiscard]] double busiestRank(ExpertBalance balance, int ranks, double experts, double choices);

} // namespace headroom
