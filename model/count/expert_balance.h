#pragma once

#include "model/deploy/deployment.h"

namespace headroom {

// Expected largest of n values of a standard normal law.
[[nodiscard]] double expectedLargest(int n);

// Load of the busiest of the ranks that experts are spread over, over the mean of all. `experts`: that one
// rank holds; `choices`: pairs of token and expert that a rank meets in a step on average.
[[nodiscard]] double busiestRank(ExpertBalance balance, int ranks, double experts, double choices);

// Experts that the busiest rank meets in a step, of `met` that the tokens choose among all `held` copies of
// them: every rank waits for the one that has most weights to read.
[[nodiscard]] double mostMet(int ranks, double held, double met);

} // namespace headroom
