#pragma once

#include "model/base/result.h"
#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/efficiency/efficiency_set.h"

#include <filesystem>
#include <vector>

namespace headroom {

// The set that predicts for this accelerator and engine: the physical floor for `ideal`, else the published
// calibrations of the card, of its family, and the family's priors, form by form.
[[nodiscard]] Result<EfficiencySet> chosenEfficiency(const std::filesystem::path& root, const Gpu& gpu,
                                                     const Engine& engine);

// Every published calibration that ships, families in the order of their names.
[[nodiscard]] Result<std::vector<EfficiencySet>> publishedCalibrations(const std::filesystem::path& root);

// Every efficiency 1, no launch, no floor, no spread: what physics allows.
[[nodiscard]] EfficiencySet idealEfficiency();

} // namespace headroom
