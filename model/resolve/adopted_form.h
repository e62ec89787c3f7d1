#pragma once

#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

namespace headroom {

// The form of `from` and the record of its errors take the place of `into`'s.
void adoptForm(EfficiencySet& into, const EfficiencySet& from, const FormSlot& slot);

// A calibration that tells nothing of the device but its links.
[[nodiscard]] inline bool linksAlone(const EfficiencySet& set) { return set.links && !set.calibration; }

} // namespace headroom
