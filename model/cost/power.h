#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/node.h"

namespace headroom {

// Electric power of one GPU with its share of the host, from how busy its matrix units and its memory are.
// Zero where the GPU's own is not known: that of the host alone would be read as that of both.
[[nodiscard]] Estimate<Watts> powerPerGpu(const Gpu& gpu, const Node& node, double computeUtilisation,
                                          double memoryUtilisation);

} // namespace headroom
