#pragma once

#include "model/search/search.h"
#include "model/serve/serving_setup.h"

namespace headroom {

// What the traffic of a scenario is simulated on: all replicas of an answer, both pools where it has two.
// `most`: to find how much it carries, which hangs on a few requests more.
[[nodiscard]] Result<serve::ServingPlan> trafficOn(const Candidate& answer, const Scenario& scenario,
                                                   bool most = false);

// The machine with the layout that was given, and the most it is judged to carry.
[[nodiscard]] Candidate asItIs(const Resolved& machine, const Scenario& scenario);

// The question with the load of the busiest stretch of its day all the time: what the size was chosen for.
// The same where the load does not change over a day, or is a trace.
[[nodiscard]] Scenario atBusiest(Scenario asked, const SizingPlan& plan);

} // namespace headroom
