#pragma once

#include "model/scenario/scenario.h"

#include <string>
#include <string_view>

namespace headroom {

// What a scenario says under a key of `scenarioKeys()`, as text that the key's `set` reads back to the same
// value; empty where the scenario leaves the choice to the program.
[[nodiscard]] std::string scenarioValue(const Scenario& scenario, std::string_view key);

// The scenario with that key as if nobody had ever said anything about it.
[[nodiscard]] Scenario withoutScenarioKey(Scenario scenario, std::string_view key);

} // namespace headroom
