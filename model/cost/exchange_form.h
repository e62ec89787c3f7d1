#pragma once

#include "model/catalogue/efficiency_set.h"
#include "model/catalogue/node.h"
#include "model/cost/forms.h"
#include "model/count/op.h"

namespace headroom {

// Exchanges among the GPUs of a node, between nodes, and over both.
[[nodiscard]] OpTime timeCollective(const Op& op, const Node& node, const EfficiencySet& set);

} // namespace headroom
