#pragma once

#include "model/base/result.h"
#include "model/catalogue/node.h"

#include <string>

namespace headroom {

// Reads a machine: how its GPUs meet each other, the host, the disk and the next machine. Rates are per GPU
// and per direction; a topology that cannot carry the number of GPUs is refused.
[[nodiscard]] Result<Node> readNode(const std::string& text, const std::string& file);
[[nodiscard]] std::string writeNode(const Node& node);

[[nodiscard]] std::string_view name(LinkTopology topology);

} // namespace headroom
