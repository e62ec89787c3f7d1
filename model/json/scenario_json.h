#pragma once

#include "model/json/value_json.h"
#include "model/resolve/resolve.h"

namespace headroom {

// The "scenario" object of predict, size and simulate: what was really computed, every choice filled in.
[[nodiscard]] Json scenarioJson(const Resolved& resolved);

} // namespace headroom
