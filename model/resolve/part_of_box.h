#pragma once

#include "model/resolve/resolve.h"

#include <optional>

namespace headroom {

// Where the user stated how many GPUs stand in a box, the machine as it is then: fewer in a box that holds
// more, or more cards behind the same kind of PCIe switch. A module's board has no further places: refused.
void standInPartOfBox(Resolved& machine, Problems& problems);

// Boxes that the stated GPUs stand in; empty where one of the two numbers was left open.
[[nodiscard]] std::optional<int> boxesThere(const Scenario& scenario);

// Replicas of a layout that so many GPUs hold; where their boxes were stated, each has its own or shares one.
[[nodiscard]] int replicasThere(int gpus, const Layout& layout, const Scenario& scenario);

} // namespace headroom
