#pragma once

#include "model/catalogue/node.h"
#include "model/cost/forms.h"
#include "model/count/op.h"
#include "model/efficiency/efficiency_set.h"

namespace headroom {

// Exchanges among the GPUs of a node, between nodes, and over both.
[[nodiscard]] OpTime timeCollective(const Op& op, const Node& node, const EfficiencySet& set);

// What the bytes alone take on the links that they cross.
[[nodiscard]] Seconds exchangeFloor(const Op& op, const Node& node);

} // namespace headroom
