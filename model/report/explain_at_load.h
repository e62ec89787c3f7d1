#pragma once

#include "model/report/explain.h"
#include "model/search/candidate.h"

#include <vector>

namespace headroom {

// The times of an answer at its load, made from those of one request alone: what a plan shows beside what a
// prediction explains. Empty where nobody else's prompts come between: both are the same figures then.
[[nodiscard]] std::vector<Explanation> explainAtLoad(const Candidate& candidate);

} // namespace headroom
