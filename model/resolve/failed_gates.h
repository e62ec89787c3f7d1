#pragma once

#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

namespace headroom {

// How much wider the intervals of a calibration are for the conditions it missed: by as much as it missed
// them. A condition on one form widens that form, any other all of them. 1 where none was missed.
[[nodiscard]] double widthOfFailures(const EfficiencySet& measured);
[[nodiscard]] double widthOfFailures(const EfficiencySet& measured, const FormSlot& slot);

} // namespace headroom
