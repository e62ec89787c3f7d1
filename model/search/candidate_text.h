#pragma once

#include "model/scenario/scenario.h"
#include "model/search/candidate.h"

#include <string>
#include <vector>

namespace headroom {

// With two pools both: "TP 4, 3 replicas; prompts on TP 2".
[[nodiscard]] Message layoutText(const Candidate& candidate);

// "8 × NVIDIA H100 SXM"; pools of two kinds: "8 × … + 4 × …".
[[nodiscard]] std::string machinesText(const Candidate& candidate);

// What stands in the way when no candidate meets: memory, bandwidth, compute, link, price.
[[nodiscard]] Message whyNothingMeets(const std::vector<Candidate>& candidates, const Scenario& scenario);

// One line about a candidate that answers this, by what was asked for: "2 × H100 (TP 2), 68 users at once".
[[nodiscard]] Message effectText(const Candidate& candidate, const Scenario& asked);

// "2 × NVIDIA A100 SXM 80GB (TP 2), 24.1 tokens/s for each user": one line about a candidate.
[[nodiscard]] Message shortText(const Candidate& candidate);

} // namespace headroom
