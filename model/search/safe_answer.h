#pragma once

#include "model/base/run_control.h"
#include "model/scenario/request.h"
#include "model/search/safe_confidence.h"
#include "model/search/search.h"
#include "model/search/sizing_plan.h"

#include <optional>
#include <vector>

namespace headroom {

// Whether being surer is a question of its own: some speed is promised, and not to as many users as there is
// room for.
[[nodiscard]] bool mayBeSafer(const SizingPlan& plan, const Scenario& scenario);

// The best service that is so `sure` to meet the targets, over the layouts that were judged, with as
// many replicas as that takes and no more; replayed where the traffic matters and the options say so. None
// where the answer is as sure itself, or nothing is. `safePools`: services of two pools that are nearly so
// sure in closed form, best first; those that cost least may be made of what never is.
[[nodiscard]] std::optional<Candidate> safeAnswer(const SizingPlan& plan, const Scenario& scenario,
                                                  const std::optional<serve::Workload>& recorded,
                                                  const SearchOptions& options, const RunControl& control,
                                                  const std::vector<Candidate>& safePools = {},
                                                  double sure = safeConfidence);

// Finds the one that is nine in ten sure, and puts it in the place of an answer that is a gamble; what was
// the answer is then the cheapest, and what is likely to do, and better than the safe one, is looked for too.
void findSafeAnswer(SizingPlan& plan, const Scenario& scenario,
                    const std::optional<serve::Workload>& recorded, const SearchOptions& options,
                    const RunControl& control, const std::vector<Candidate>& safePools = {});

// The same machine, layout and number of everything.
[[nodiscard]] bool sameService(const Candidate& a, const Candidate& b);

} // namespace headroom
