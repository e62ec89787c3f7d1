#pragma once

#include "model/plan/launch.h"

#include <string>

namespace headroom {

// {"schema": "headroom.launch/1", …}
[[nodiscard]] std::string launchJson(const LaunchCommand& command, const Resolved& resolved,
                                     LaunchTarget target);

} // namespace headroom
