#pragma once

#include "model/base/result.h"
#include "model/closed_form/prediction.h"
#include "model/launch/launch_words.h"
#include "model/resolve/resolve.h"

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

// A flag with its value, text as the program is to get it; empty value: a switch.
using LaunchFlag = std::pair<std::string, std::string>;

// How one replica is started: the engine's own program with the settings that the plan assumed.
struct LaunchCommand {
    std::vector<std::string> program; // "vllm", "serve", "meta-llama/Llama-3.3-70B-Instruct"
    std::vector<LaunchFlag> flags;
    std::vector<LaunchSetting> nodeFlags;   // of several nodes
    std::vector<LaunchSetting> workerFlags; // of the nodes beside the head only
    std::string configFile;                 // content of config.yml; empty: none
    std::vector<Message> notes;             // what the flags cannot say
    int nodes = 1;                          // of one replica
    int gpusPerNode = 1;
    int port = 8000;
    std::string role; // "prefill" or "decode" of a service with two pools; else empty
    std::vector<LaunchSetting> environment;
};
// The name of the file that `configFile` is the content of.
[[nodiscard]] std::string configName(const LaunchCommand& command);

// What a server does of a request.
enum class LaunchRole : std::uint8_t { All, Prompts, Decodes };
// Refused where the engine's own program cannot start such a layout.
[[nodiscard]] Result<LaunchCommand> launchCommand(const Resolved& resolved,
                                                  LaunchRole role = LaunchRole::All);

// What stands in front of both pools and hands each request from the one to the other.
struct LaunchRouter {
    std::vector<std::string> program;
    std::vector<LaunchSetting> flags;
    std::string configFile; // content of pools.yml; empty: none
    std::vector<Message> notes;
};
[[nodiscard]] LaunchRouter launchRouter(const LaunchCommand& prompts, int promptReplicas,
                                        const LaunchCommand& decodes, int decodeReplicas);
// Comments are told by `tell`, in the reader's language.
using CommentTeller = std::function<std::string(const Message&)>;
[[nodiscard]] std::string routerText(const LaunchRouter& router,
                                     const CommentTeller& tell = &Message::english);

enum class LaunchTarget : std::uint8_t { Shell, Kubernetes, Slurm };
// Ready to run: every replica, every node.
[[nodiscard]] std::string launchText(const LaunchCommand& command, const Resolved& resolved,
                                     LaunchTarget target, const CommentTeller& tell = &Message::english);

} // namespace headroom
