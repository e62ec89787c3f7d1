#include "model/json/launch_json.h"

#include "model/json/prediction_json.h"
#include "model/json/scenario_json.h"

namespace headroom {

namespace {

Json commandJson(const LaunchCommand& command, const Resolved& resolved, LaunchTarget target)
{
    Json flags = Json::object();
    for (const auto& [flag, value] : command.flags)
        flags[flag] = value.empty() ? Json(true) : Json(value);
    Json out{{"scenario", scenarioJson(resolved)},
             {"program", command.program},
             {"flags", std::move(flags)},
             {"nodes", command.nodes},
             {"gpus_per_node", command.gpusPerNode},
             {"config", command.configFile},
             {"notes", inEnglish(command.notes)},
             {"loading", loadingJson(resolved.deployment)},
             {"text", launchText(command, resolved, target)}};
    if (!command.role.empty())
        out["role"] = command.role;
    return out;
}

} // namespace

std::string launchJson(const LaunchCommand& command, const Resolved& resolved, LaunchTarget target)
{
    Json document{{"schema", "headroom.launch/1"}};
    document.update(commandJson(command, resolved, target));
    return documentText(document);
}

std::string launchJson(const LaunchCommand& prompts, const Resolved& prompting, const LaunchCommand& decodes,
                       const Resolved& decoding, const LaunchRouter& router, LaunchTarget target)
{
    Json document{{"schema", "headroom.launch/1"}};
    document.update(commandJson(decodes, decoding, target));
    document["prefill"] = commandJson(prompts, prompting, target);
    document["router"] = {{"program", router.program},
                          {"config", router.configFile},
                          {"notes", inEnglish(router.notes)},
                          {"text", routerText(router)}};
    return documentText(document);
}

} // namespace headroom
