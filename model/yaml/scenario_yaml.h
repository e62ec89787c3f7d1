#pragma once

#include "model/plan/scenario.h"
#include "model/result.h"

#include <filesystem>
#include <string>

namespace headroom {

// A scenario file: `name`, and any key of `scenarioKeys()` with the text a flag would take. Keys that are
// absent are left to the program. What writeScenario writes, parseScenario reads back equal.
[[nodiscard]] Result<Scenario> parseScenario(const std::string& text, const std::string& file);
[[nodiscard]] Result<Scenario> readScenario(const std::filesystem::path& path, const std::string& shownAs);
[[nodiscard]] std::string writeScenario(const Scenario& scenario);

} // namespace headroom
