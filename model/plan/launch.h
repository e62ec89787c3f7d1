#pragma once

#include "model/plan/prediction.h"
#include "model/plan/resolve.h"
#include "model/result.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

// A flag with its value; empty value: a switch.
using LaunchFlag = std::pair<std::string, std::string>;

// How one replica is started: the engine's own program with the settings that the plan assumed.
struct LaunchCommand {
    std::vector<std::string> program; // "vllm", "serve", "meta-llama/Llama-3.3-70B-Instruct"
    std::vector<LaunchFlag> flags;
    std::vector<LaunchFlag>
        nodeFlags; // of several nodes; {rank} and {head} stand for the node's number and the head's address
    std::vector<LaunchFlag> workerFlags; // of the nodes beside the head only
    std::string configFile;              // content of config.yml; empty: none
    std::vector<std::string> notes;      // what the flags cannot say
    int nodes = 1;                       // of one replica
    int gpusPerNode = 1;
    int port = 8000;
};
// Refused where the engine's own program cannot start such a layout.
[[nodiscard]] Result<LaunchCommand> launchCommand(const Resolved& resolved);

enum class LaunchTarget : std::uint8_t { Shell, Kubernetes, Slurm };
// Ready to run: every replica, every node.
[[nodiscard]] std::string launchText(const LaunchCommand& command, const Resolved& resolved,
                                     LaunchTarget target);

} // namespace headroom
