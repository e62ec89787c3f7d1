#pragma once

#include "model/estimate.h"
#include "model/units.h"

namespace headroom {

// Time between a user's tokens with so many users in the replica: prompts of the others come between them,
// one's own do not. `alone` is without prompts, `underLoad` with those that keep the batch full.
[[nodiscard]] Estimate<Seconds> tokenTimeBeside(const Estimate<Seconds>& alone,
                                                const Estimate<Seconds>& underLoad, double users);

} // namespace headroom
