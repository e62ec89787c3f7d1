#pragma once

#include "kernels/cuda/device_operands.h"
#include "kernels/task.h"

#include <string>

namespace headroom::kernels {

// Products of 16-bit activations with 4- and 8-bit weights widened on the way (weight_only.cu), and a GEMV
// for 16-bit weights that the library streams less well when they are few.
[[nodiscard]] Message weightOnlyObstacle(const Task& task, int computeCapability);
[[nodiscard]] Variant weightOnlyVariant(const Task& task, int multiprocessors);
std::size_t weightOnlyWorkspace(const Task& task, int multiprocessors);
void launchWeightOnly(const Task& task, DeviceOperands& operands, int multiprocessors, cudaStream_t stream);
[[nodiscard]] bool gemvTakes(const Task& task); // weights of 16 bits that the library would stream less well
// int32 sums in the workspace to bf16 results, scaled by the row of the input and of the weights.
void launchScale(const Task& task, DeviceOperands& operands, cudaStream_t stream);

} // namespace headroom::kernels
