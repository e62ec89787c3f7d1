#pragma once

#include "model/plan/candidate.h"
#include "model/plan/scenario.h"

#include <vector>

namespace headroom {

// The best layouts of one machine with more replicas than the load takes, up to twice the GPUs of the
// smallest service that does: what a little more money buys. Candidates have as few replicas as carry the
// load, so otherwise the next larger service would be one whose replicas are larger.
[[nodiscard]] std::vector<Candidate> withMoreReplicas(const std::vector<Candidate>& candidates,
                                                      const Scenario& scenario);

} // namespace headroom
