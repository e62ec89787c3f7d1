#include "model/json/launch_json.h"

#include "model/json/scenario_json.h"

namespace headroom {

std::string launchJson(const LaunchCommand& command, const Resolved& resolved, LaunchTarget target)
{
    Json flags = Json::object();
    for (const auto& [flag, value] : command.flags)
        flags[flag] = value.empty() ? Json(true) : Json(value);
    const Json document{{"schema", "headroom.launch/1"},
                        {"scenario", scenarioJson(resolved)},
                        {"program", command.program},
                        {"flags", std::move(flags)},
                        {"nodes", command.nodes},
                        {"gpus_per_node", command.gpusPerNode},
                        {"config", command.configFile},
                        {"notes", command.notes},
                        {"text", launchText(command, resolved, target)}};
    return documentText(document);
}

} // namespace headroom
