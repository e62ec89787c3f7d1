#pragma once

#include "model/deploy/deployment.h"

#include <algorithm>

namespace headroom {

// Whether the GPUs of one replica stand in more than one box: its network joins them.
[[nodiscard]] inline bool spansBoxes(const Deployment& d)
{
    return d.layout.gpusPerReplica() > std::max(1, d.node->gpusPerNode);
}

// Whether two of them stand in the same box: the links inside join them.
[[nodiscard]] inline bool sharesBox(const Deployment& d)
{
    return std::min(d.layout.gpusPerReplica(), d.node->gpusPerNode) > 1;
}

} // namespace headroom
