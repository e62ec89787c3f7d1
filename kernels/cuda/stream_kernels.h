#pragma once

#include "kernels/cuda/device_operands.h"
#include "kernels/task.h"

namespace headroom::kernels {

// Element-wise families: stream_kernels.cu. Each starts one launch on the stream.
void launchNorm(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchRope(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchActivation(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchSampling(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchRead(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchCopy(const Task& task, DeviceOperands& operands, cudaStream_t stream);
void launchEmpty(cudaStream_t stream);

} // namespace headroom::kernels
