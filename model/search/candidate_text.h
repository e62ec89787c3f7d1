#pragma once

#include "model/scenario/scenario.h"
#include "model/search/candidate.h"

#include <string>
#include <vector>

namespace headroom {

// What stands in the way when no candidate meets: memory, bandwidth, compute, link, price.
[[nodiscard]] Message whyNothingMeets(const std::vector<Candidate>& candidates, const Scenario& scenario);

// One line about a candidate that answers this, by what was asked for: "2 x H100 (TP 2), 68 users at once".
[[nodiscard]] Message effectText(const Candidate& candidate, const Scenario& asked);

// "2 x a100-sxm-80gb, 24.1 tokens/s for each user": one line about a candidate.
[[nodiscard]] Message shortText(const Candidate& candidate);

} // namespace headroom
