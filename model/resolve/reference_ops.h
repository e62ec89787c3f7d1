#pragma once

#include "model/count/op.h"
#include "model/efficiency/form_slot.h"

#include <vector>

namespace headroom {

// Operators of usual sizes that a form times, small to large: where two forms of one kind are to be compared
// as a whole. None for exchanges.
[[nodiscard]] std::vector<Op> referenceOps(const FormSlot& slot);

} // namespace headroom
