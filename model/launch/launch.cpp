#include "model/launch/launch.h"

#include "model/launch/wish.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace headroom {

namespace {

// Whose start line is written by what; flags as read in the engines' own sources, at the commits that the
// files cite.
struct EngineLines {
    std::string_view id;
    void (*write)(launching::Wish&);
    bool andVersions = false; // "vllm-0.6" too
};
constexpr std::array engines{EngineLines{"vllm", launching::vllm, true},
                             EngineLines{"sglang", launching::sglang},
                             EngineLines{"tensorrt-llm", launching::tensorRtLlm},
                             EngineLines{"lmdeploy", launching::lmdeploy},
                             EngineLines{"tgi", launching::tgi},
                             EngineLines{"llama-cpp", launching::llamaCpp}};

std::string idsOfEngines()
{
    std::string ids;
    for (const EngineLines& one : engines)
        ids += (ids.empty() ? "" : ", ") + std::string(one.id);
    return ids;
}

} // namespace

std::string configName(const LaunchCommand& command)
{
    return command.role.empty() ? "config.yml" : "config-" + command.role + ".yml";
}

Result<LaunchCommand> launchCommand(const Resolved& resolved, LaunchRole role)
{
    const Deployment& d = resolved.deployment;
    launching::Wish wish{.resolved = resolved, .d = d, .role = role, .command = {}, .problems = {}};
    if (role != LaunchRole::All) {
        // Ports of their own, so that both pools may share a box.
        wish.command.role = role == LaunchRole::Prompts ? "prefill" : "decode";
        wish.command.port = role == LaunchRole::Prompts ? 8100 : 8200;
        if (!d.engine->disaggregates)
            wish.refuse(say("{} keeps prompts and decodes together", d.engine->name),
                        say("vllm, sglang and tensorrt-llm run them apart"));
    }
    const int perNode = std::max(1, d.node->gpusPerNode);
    const int perReplica = d.layout.gpusPerReplica();
    wish.command.nodes = (perReplica + perNode - 1) / perNode;
    wish.command.gpusPerNode
        = std::min(perReplica, (perReplica + wish.command.nodes - 1) / wish.command.nodes);
    launching::refuseOptions(wish);
    const auto engine = std::find_if(engines.begin(), engines.end(), [&](const EngineLines& one) {
        return d.engine->id == one.id || (one.andVersions && d.engine->id.starts_with(one.id));
    });
    if (engine != engines.end())
        engine->write(wish);
    else
        wish.refuse(say("no start line is known for {}", d.engine->name), say("one of {}", idsOfEngines()));
    if (!wish.problems.empty())
        return tl::unexpected<Problems>(std::move(wish.problems));
    if (auto note = launching::lengthNote(resolved))
        wish.command.notes.push_back(*std::move(note));
    return std::move(wish.command);
}

} // namespace headroom
