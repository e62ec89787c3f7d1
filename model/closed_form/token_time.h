#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"

namespace headroom {

// Time between a user's tokens with so many users in the replica: prompts of the others come between them,
// one's own do not. `alone` is without prompts, `underLoad` with those that keep the batch full.
// `openLoop`: requests come at a rate and do not take turns.
[[nodiscard]] Estimate<Seconds> tokenTimeBeside(const Estimate<Seconds>& alone,
                                                const Estimate<Seconds>& underLoad, double users,
                                                bool openLoop);

} // namespace headroom
