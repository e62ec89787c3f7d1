#pragma once

#include "model/base/message.h"
#include "model/deploy/deployment.h"

#include <vector>

namespace headroom {

// What widens ranges by how a replica is laid out, told by name.
[[nodiscard]] std::vector<Message> rangesOfLayout(const Deployment& deployment);

} // namespace headroom
