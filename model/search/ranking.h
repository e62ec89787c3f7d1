#pragma once

#include "model/scenario/scenario.h"
#include "model/search/candidate.h"

#include <vector>

namespace headroom {

// Is `a` the better answer to this question? A strict order.
[[nodiscard]] bool better(const Candidate& a, const Candidate& b, Objective objective);

// Is `a`'s bill the smaller? Then it is better if it meets what is asked. Asks nothing of it but what it
// consists of where totals grow with the GPUs.
[[nodiscard]] bool cheaper(const Candidate& a, const Candidate& b, Objective objective);

[[nodiscard]] std::vector<Candidate> bestFirst(std::vector<Candidate> candidates, Objective objective);

} // namespace headroom
