#pragma once

#include "model/catalogue/gpu.h"
#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <vector>

namespace headroom {

// What numbers cannot be moved between: exchanges know one way or several, libraries choose among many tiles
// or have one kind, with a kernel for a few rows or without. Samples say which.
[[nodiscard]] std::vector<EfficiencySet> startsOf(EfficiencySet start, const FormSlot& slot, const Gpu& gpu);

} // namespace headroom
