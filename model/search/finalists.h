#pragma once

#include "model/base/run_control.h"
#include "model/scenario/request.h"
#include "model/search/search.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace headroom {

// Whether the question needs a replay of the traffic: requests that come at random, or targets promised to a
// share of many users. One user alone never waits, and the requests of a job are all there when it begins.
[[nodiscard]] bool trafficMatters(const Scenario& scenario);

// Replays the traffic on the best candidates, best first, until the best one left has stood the test. One
// that misses its percentile gets replicas until it holds (or is told so, when the user fixed their number)
// and takes its new place. `candidates` are sorted, and stay so.
// `recorded`: requests to play in place of the scenario's traffic. False when the runs that one answer may
// cost were spent before the best one was tested: what nobody played is then set aside. Ends early where the
// best one left is not worth it to the options.
[[nodiscard]] bool simulateFinalists(std::vector<Candidate>& candidates, const Scenario& scenario,
                                     const std::optional<serve::Workload>& recorded,
                                     const SearchOptions& options, const RunControl& control);

class ReplicaSearch;
class Replays;
class Rivals;

// The same with the runs that are left to `replays`; nothing is set aside. `rivals`: what may cost less than
// the first that stands; none: what looks better in closed form alone.
[[nodiscard]] bool testBest(std::vector<Candidate>& candidates, Replays& replays, ReplicaSearch& settling,
                            Rivals* rivals, const std::function<bool(const Candidate&)>& worth = {});

// One candidate with as many replicas as the percentile takes, within a few runs; as it was, without
// `simulated`, where the simulator has no such engine or traffic. `work`: that all such runs may take.
[[nodiscard]] Candidate simulated(const Candidate& candidate, const Scenario& scenario,
                                  const RunControl& control, std::shared_ptr<std::int64_t> work = {});

} // namespace headroom
