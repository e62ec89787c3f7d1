#pragma once

#include "model/count/op.h"
#include "model/efficiency/form_slot.h"

namespace headroom {

// The form that times this operator.
[[nodiscard]] FormSlot slotOf(const Op& op);

} // namespace headroom
