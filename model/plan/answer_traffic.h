#pragma once

#include "model/plan/search.h"
#include "model/serve/serving_setup.h"

namespace headroom {

// What the traffic of a scenario is simulated on: all replicas of an answer, both pools where it has two.
[[nodiscard]] Result<serve::ServingPlan> trafficOn(const Candidate& answer, const Scenario& scenario);

} // namespace headroom
