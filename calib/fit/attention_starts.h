#pragma once

#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <vector>

namespace headroom {

// Where fits of decode attention begin: the kinds of kernels that libraries have for it.
[[nodiscard]] std::vector<EfficiencySet> decodeStarts(const EfficiencySet& start, const FormSlot& slot);
[[nodiscard]] std::vector<EfficiencySet> latentStarts(const EfficiencySet& start, const FormSlot& slot);

} // namespace headroom
