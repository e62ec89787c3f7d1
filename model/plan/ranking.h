#pragma once

#include "model/plan/candidate.h"
#include "model/plan/scenario.h"

#include <vector>

namespace headroom {

// Is `a` the better answer to this question? A strict order.
[[nodiscard]] bool better(const Candidate& a, const Candidate& b, Objective objective);

[[nodiscard]] std::vector<Candidate> bestFirst(std::vector<Candidate> candidates, Objective objective);

} // namespace headroom
