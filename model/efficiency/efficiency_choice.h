#pragma once

#include "model/catalogue/gpu.h"
#include "model/efficiency/efficiency_set.h"

#include <span>
#include <string>
#include <vector>

namespace headroom {

// The best figures for one accelerator and one engine's kernels, form by form: this card with these kernels,
// this card with the next kernels of `kernels`, its family likewise, then `kin`, cards of a family with the
// same multiprocessors, then the prior. What is borrowed is wider (docs/executor.md, section 3.5) and says
// whence it comes.
[[nodiscard]] EfficiencySet chooseEfficiency(const Gpu& gpu, std::span<const std::string> kernels,
                                             std::span<const EfficiencySet* const> calibrations,
                                             std::span<const EfficiencySet* const> kin,
                                             const EfficiencySet& prior);

} // namespace headroom
