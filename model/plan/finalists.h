#pragma once

#include "model/plan/search.h"
#include "model/run_control.h"

namespace headroom {

// Whether the question needs a replay of the traffic: requests that come at random, or targets promised to a
// share of many users. One user alone never waits.
[[nodiscard]] bool trafficMatters(const Scenario& scenario);

// Replays the traffic on the best candidates, best first, until the best one left has stood the test. One
// that misses its percentile gets replicas until it holds (or is told so, when the user fixed their number)
// and takes its new place. `candidates` are sorted, and stay so.
void simulateFinalists(std::vector<Candidate>& candidates, const Scenario& scenario,
                       const RunControl& control);

} // namespace headroom
