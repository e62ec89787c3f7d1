#pragma once

#include "model/scenario/scenario.h"

#include <string>

namespace headroom {

// The scenario with the settings of the server that notes state in place of its engine's defaults, as the
// engines spell them.
[[nodiscard]] Scenario withLaunchOptions(Scenario scenario, const std::string& notes);

} // namespace headroom
