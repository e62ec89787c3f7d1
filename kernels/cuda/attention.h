#pragma once

#include "kernels/cuda/device_operands.h"
#include "kernels/task.h"

#include <string>

namespace headroom::kernels {

// Attention families: decode_attention.cu, prefill_attention.cu, latent_attention.cu. Each starts one launch
// (a merge of partial results may follow on the same stream). `obstacle` says what a family cannot do, empty
// when it can.

// What all families need of types and heads.
[[nodiscard]] Message attentionObstacle(const Task& task, int largestHead);
[[nodiscard]] Message decodeObstacle(const Task& task, int computeCapability);
[[nodiscard]] Variant decodeVariant(const Task& task, int multiprocessors);
[[nodiscard]] std::size_t decodeWorkspace(const Task& task, int multiprocessors); // bytes
void launchDecode(const Task& task, DeviceOperands& operands, int multiprocessors, cudaStream_t stream);

[[nodiscard]] Message prefillObstacle(const Task& task, int computeCapability);
[[nodiscard]] Variant prefillVariant(const Task& task, int multiprocessors);
[[nodiscard]] std::size_t prefillWorkspace(const Task& task, int multiprocessors);
void launchPrefill(const Task& task, DeviceOperands& operands, int multiprocessors, cudaStream_t stream);

[[nodiscard]] Message latentObstacle(const Task& task, int computeCapability);
[[nodiscard]] Variant latentVariant(const Task& task, int multiprocessors);
[[nodiscard]] std::size_t latentWorkspace(const Task& task, int multiprocessors);
void launchLatent(const Task& task, DeviceOperands& operands, int multiprocessors, cudaStream_t stream);

} // namespace headroom::kernels
