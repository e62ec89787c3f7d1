#pragma once

#include "model/catalogue/gpu.h"
#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <vector>

namespace headroom {

// The variants of a form between which no number leads: an exchange with one protocol or several, a library
// with one tile or many, with a kernel for few rows or without. Each is fitted; the samples decide.
[[nodiscard]] std::vector<EfficiencySet> startsOf(EfficiencySet start, const FormSlot& slot, const Gpu& gpu);

} // namespace headroom
