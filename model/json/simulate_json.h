#pragma once

#include "model/base/units.h"
#include "model/ranges/served_ranges.h"
#include "model/resolve/resolve.h"
#include "model/serve/serving_run.h"

#include <optional>
#include <string>

namespace headroom {

// The document of `headroom simulate`; `wall` is how long the simulation took. Without it, two runs of one
// question give equal documents.
[[nodiscard]] std::string simulateJson(const Resolved& resolved, const serve::ServingRun& run,
                                       const ServedRanges& ranges, std::optional<Seconds> wall);

// When not even the model fits: the same document with the verdict and its reason.
[[nodiscard]] std::string simulateJsonWithoutRoom(const Resolved& resolved, const std::string& reason);

} // namespace headroom
