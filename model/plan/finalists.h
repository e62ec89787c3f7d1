#pragma once

#include "model/plan/search.h"
#include "model/run_control.h"
#include "model/serve/request.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

// Whether the question needs a replay of the traffic: requests that come at random, or targets promised to a
// share of many users. One user alone never waits.
[[nodiscard]] bool trafficMatters(const Scenario& scenario);

// Replays the traffic on the best candidates, best first, until the best one left has stood the test. One
// that misses its percentile gets replicas until it holds (or is told so, when the user fixed their number)
// and takes its new place. `candidates` are sorted, and stay so.
// `recorded`: requests to play in place of the scenario's traffic. False when the runs that one answer may
// cost were spent before the best one was tested: its verdict is then closed form.
[[nodiscard]] bool simulateFinalists(std::vector<Candidate>& candidates, const Scenario& scenario,
                                     const std::optional<serve::Workload>& recorded,
                                     const RunControl& control);

// The most that stands a replay on a candidate as it is, spares out of service.
struct ProvenLoad {
    ServiceLoad
        load; // users at once, or requests a second where those were stated; neither: nothing stood one
    double confidence = 0;
    std::string reason; // why nothing stood one
};
// To within a fiftieth. None where no run can be made. `sure`: nine in ten sure, with every time as long as
// the upper end of its range.
[[nodiscard]] std::optional<ProvenLoad> mostThatStands(const Candidate& candidate, const Scenario& scenario,
                                                       const RunControl& control, bool sure = false);

// One candidate with as many replicas as the percentile takes, within a few runs; as it was, without
// `simulated`, where the simulator has no such engine or traffic.
[[nodiscard]] Candidate simulated(const Candidate& candidate, const Scenario& scenario,
                                  const RunControl& control);

} // namespace headroom
