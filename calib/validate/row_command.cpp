#include "calib/validate/row_case.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"

namespace headroom {

std::string simulateCommand(const RowCase& run)
{
    const Scenario untouched;
    std::string out = "headroom simulate";
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string value = scenarioValue(run.scenario, key.name);
        if (value.empty() || value == scenarioValue(untouched, key.name))
            continue;
        const bool bare = value.find_first_of(" '\"();&|<>*?$`\\") == std::string::npos;
        out += " --" + std::string(key.name) + ' ' + (bare ? value : "'" + value + "'");
    }
    return run.inTurn ? out + " --routing round-robin" : out;
}

} // namespace headroom
