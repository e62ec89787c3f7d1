#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"
#include "model/closed_form/prediction.h"
#include "model/deploy/deployment.h"

namespace headroom {

// The time of a prompt, with the range that a first token has at this load.
[[nodiscard]] Estimate<Seconds> promptOfFirstToken(const Estimate<Seconds>& prompt,
                                                   const Deployment& deployment, const Load& load);

} // namespace headroom
