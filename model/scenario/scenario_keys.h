#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// One thing a user may say about a scenario: a flag of the command line, a key that `sweep` varies.
struct ScenarioKey {
    std::string_view name;  // "gpu-memory-fraction": the flag without its dashes
    std::string_view value; // what stands after it in a help text: "FRACTION"
    std::string_view help;
    // Reads the text into the scenario; problems have no `where` yet, and leave the scenario as it was.
    Problems (*set)(Scenario&, std::string_view text);
};

// All of them, in the order a help text shows them.
[[nodiscard]] std::span<const ScenarioKey> scenarioKeys();
[[nodiscard]] const ScenarioKey* findScenarioKey(std::string_view name);
[[nodiscard]] std::vector<std::string> scenarioKeyNames();

} // namespace headroom
