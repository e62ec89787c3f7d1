#pragma once

#include "model/scenario/scenario.h"
#include "model/search/candidate.h"

#include <vector>

namespace headroom {

// Layouts of one machine with more replicas than the load takes: one more after the other, as a little more
// money buys, and as many as fill the larger services that other layouts are. Candidates have as few replicas
// as carry the load, so otherwise the next larger service would be one whose replicas are larger.
[[nodiscard]] std::vector<Candidate> withMoreReplicas(const std::vector<Candidate>& candidates,
                                                      const Scenario& scenario);

} // namespace headroom
