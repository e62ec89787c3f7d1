#pragma once

#include "model/base/run_control.h"
#include "model/search/sizing_plan.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace headroom {

// GPUs whose number was stated are there and paid for: of what meets the targets, uses that leave some idle
// stand behind those that do not.
void useAllFirst(std::vector<Candidate>& candidates, const Scenario& scenario);

// Replays the most that the answer carries. Where the most is what was asked for, the best few candidates are
// proven until the best of all is one of them. True: the answer's most stood a replay.
// `shared`: what its runs may still take; none: as much as an answer may.
[[nodiscard]] bool proveBest(SizingPlan& plan, const Scenario& scenario, bool replay,
                             const RunControl& control, const std::shared_ptr<std::int64_t>& shared = {});

// How many users are safe where no load was stated. Where the most users were asked for and are a gamble, the
// layout that carries most safely becomes the answer, told with as many.
void tellSafeUsers(SizingPlan& plan, const Scenario& scenario, bool proven, const RunControl& control);

} // namespace headroom
