#pragma once

#include "model/launch/launch.h"

#include <string>

namespace headroom {

// {"schema": "headroom.launch/1", …}
[[nodiscard]] std::string launchJson(const LaunchCommand& command, const Resolved& resolved,
                                     LaunchTarget target);

// The same of a service with two pools: the pool that decodes, and beside it "prefill" and "router".
[[nodiscard]] std::string launchJson(const LaunchCommand& prompts, const Resolved& prompting,
                                     const LaunchCommand& decodes, const Resolved& decoding,
                                     const LaunchRouter& router, LaunchTarget target);

} // namespace headroom
