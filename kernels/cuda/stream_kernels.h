#pragma once

#include "kernels/cuda/device_operands.h"
#include "kernels/task.h"

namespace headroom::kernels {

// Element-wise families: stream_kernels.cu and rope.cu. Each starts one launch on the stream.
[[nodiscard]] Variant streamVariant(const Task& task); // of norms and activations
[[nodiscard]] Variant ropeVariant(const Task& task);
void launchNorm(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchRope(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchActivation(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchSampling(const Task& task, DeviceOperands& operands, cudaStream_t stream);
// Bytes, zero to begin with.
[[nodiscard]] std::size_t samplingWorkspace(const Task& task);
[[nodiscard]] std::size_t readWorkspace(const Task& task);
void launchRead(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchCopy(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchEmpty(cudaStream_t stream);

} // namespace headroom::kernels
