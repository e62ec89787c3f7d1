#pragma once

#include "kernels/cpu/operands.h"
#include "kernels/cuda/cuda_handles.h"
#include "kernels/task.h"

#include <cstdint>

namespace headroom::kernels {

// A tensor on the device in the same layout as kernels/cpu/numbers.h: rows one after another, scales beside.
struct DeviceTensor {
    DType type = DType::Bf16;
    std::size_t rows = 0;
    std::size_t columns = 0;
    int groupSize = 0;
    DeviceBuffer bytes;
    DeviceBuffer scales;
};

// One set of everything a task reads and writes, on the device.
struct DeviceOperands {
    DeviceTensor input;
    DeviceTensor second;
    DeviceTensor weights;
    DeviceTensor downWeights;
    DeviceTensor router;
    DeviceTensor keys;
    DeviceTensor values;
    DeviceTensor output;
    DeviceTensor secondOutput;
    DeviceBuffer table;     // int32: sequence x pages -> page
    DeviceBuffer length;    // int32: tokens of each sequence, the new ones included
    DeviceBuffer angles;    // float
    DeviceBuffer workspace; // partial results, counters, expert offsets
    std::size_t pagesPerSequence = 0;
    int kvHeads = 0;
    std::size_t bytes = 0; // all of it
};

// Allocates and fills on the device: drawing gigabytes on the host would take longer than measuring.
[[nodiscard]] DeviceOperands makeDeviceOperands(const Task& task, std::uint64_t seed, cudaStream_t stream);

// The same values on the host, for the reference.
[[nodiscard]] Operands download(const Task& task, const DeviceOperands& operands);

// Bytes one set would take.
[[nodiscard]] std::size_t operandBytes(const Task& task);

// fill.cu: uniform in [-scale, scale] by a hash of (seed, index), stored in the tensor's type; or NaN.
void fillRandom(DeviceTensor& tensor, std::uint64_t seed, float scale, cudaStream_t stream);
void fillNan(DeviceTensor& tensor, cudaStream_t stream);

} // namespace headroom::kernels
