#pragma once

#include "kernels/cuda/device_operands.h"
#include "kernels/task.h"

#include <string>

namespace headroom::kernels {

// Router, counting sort by expert, grouped products, weighted sum (experts.cu); offsets stay on the device,
// so that the whole can be captured in a graph.
[[nodiscard]] Message expertsObstacle(const Task& task, int computeCapability);
[[nodiscard]] Variant expertsVariant(const Task& task);
[[nodiscard]] std::size_t expertsWorkspace(const Task& task);
void launchExperts(const Task& task, DeviceOperands& operands, int multiprocessors, cudaStream_t stream);

} // namespace headroom::kernels
