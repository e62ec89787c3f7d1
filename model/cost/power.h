#pragma once

#include "model/catalogue/gpu.h"
#include "model/catalogue/node.h"
#include "model/estimate.h"
#include "model/units.h"

namespace headroom {

// Electric power of one GPU with its share of the host, from how busy its matrix units and its memory are.
[[nodiscard]] Estimate<Watts> powerPerGpu(const Gpu& gpu, const Node& node, double computeUtilisation,
                                          double memoryUtilisation);

} // namespace headroom
