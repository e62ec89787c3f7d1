#pragma once

#include "calib/calibrate.h"
#include "calib/measure/sample.h"
#include "model/catalogue/gpu.h"

#include <vector>

namespace headroom {

// Whole layers as the fitted forms foretell them, beside what was measured.
[[nodiscard]] std::vector<LayerError> judgeLayers(const Sweep& sweep, const SampleTable& table,
                                                  const Gpu& gpu, const EfficiencySet& set);
[[nodiscard]] HoldOutRecord summarise(const std::vector<LayerError>& layers);

} // namespace headroom
