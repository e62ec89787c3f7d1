#pragma once

#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>

namespace headroom {

struct YamlNode;

// A scenario as far as it could be read, everything that is wrong with it, and where each key was said:
// "night.yaml:3:8 tp", "--tp".
struct ScenarioReading {
    using Places = std::map<std::string, std::string, std::less<>>;

    Scenario scenario;
    Problems problems;
    Places places;
};
// Problems of a key told at the place where it was said.
[[nodiscard]] Problems placed(Problems problems, const ScenarioReading::Places& places);

// A scenario file: `name`, and any key of `scenarioKeys()` with the text a flag would take. Keys that are
// absent are left to the program. What writeScenario writes, parseScenario reads back equal.
[[nodiscard]] Result<Scenario> parseScenario(const std::string& text, const std::string& file);
// The keys of the file over `base`.
[[nodiscard]] ScenarioReading readScenarioOver(Scenario base, const std::filesystem::path& path,
                                               const std::string& shownAs);
[[nodiscard]] ScenarioReading scenarioReading(const std::string& text, const std::string& file);
// The same of a file that is parsed already.
[[nodiscard]] Result<Scenario> scenarioIn(const YamlNode& tree, const std::string& file);
[[nodiscard]] Result<Scenario> readScenario(const std::filesystem::path& path, const std::string& shownAs);
[[nodiscard]] std::string writeScenario(const Scenario& scenario);

} // namespace headroom
