#pragma once

#include "model/plan/resolve.h"
#include "model/serve/serving_run.h"
#include "model/units.h"

#include <string>

namespace headroom {

// The document of `headroom simulate`; `wall` is how long the simulation took.
[[nodiscard]] std::string simulateJson(const Resolved& resolved, const serve::ServingRun& run, Seconds wall);

// When not even the model fits: the same document with the verdict and its reason.
[[nodiscard]] std::string simulateJsonWithoutRoom(const Resolved& resolved, const std::string& reason);

} // namespace headroom
