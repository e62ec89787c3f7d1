#pragma once

#include "model/launch/launch.h"
#include "model/search/search.h"

#include <optional>
#include <string>

namespace headroom {

// What of an answer is started: one kind of server, or one for prompts and one that decodes.
struct LaunchedPools {
    Resolved decodes;
    std::optional<Resolved> prompts;
};
[[nodiscard]] LaunchedPools launchedPools(const Candidate& answer);

// The commands behind it, and what stands in front of two kinds of server.
struct PooledCommands {
    LaunchCommand decodes;
    std::optional<LaunchCommand> prompts;
    std::optional<LaunchRouter> router;
};
[[nodiscard]] Result<PooledCommands> pooledCommands(const LaunchedPools& pools);

// All that starts it: every replica of both pools and the router in front of them.
[[nodiscard]] Result<std::string> launchText(const LaunchedPools& pools, LaunchTarget target,
                                             const CommentTeller& tell = &Message::english);

} // namespace headroom
