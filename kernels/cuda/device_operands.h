#pragma once

#include "kernels/cpu/operands.h"
#include "kernels/cuda/cuda_handles.h"
#include "kernels/task.h"

#include <cstdint>
#include <vector>

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
};

// Sets of operands and what holds their memory: one block of it, in which a set's tensors lie at the same
// places of the next stretch. A single set's tensors have memory of their own, so that a checker sees where
// each ends.
struct DeviceSets {
    DeviceBuffer block;
    std::vector<DeviceBuffer> apart; // what all sets share, and the tensors of a single one
    std::vector<DeviceOperands> sets;
};

// Tokens draw their experts by chance: a time of one draw is not the time of experts. So there may be more
// sets than copies of the weights, each with tokens of its own.
struct SetCounts {
    int copies = 1;
    int draws = 1;
};

// Fills them on the device: drawing gigabytes on the host would take longer than measuring. `workspace`:
// bytes of each set that are zero to begin with. They are filled once the stream has come so far.
[[nodiscard]] DeviceSets makeDeviceSets(const Task& task, std::uint64_t seed, const SetCounts& counts,
                                        std::size_t workspace, SpareMemory& spare, cudaStream_t stream);

// The same values on the host, for the reference.
[[nodiscard]] Operands download(const Task& task, const DeviceOperands& operands);

// Bytes one set would take.
[[nodiscard]] std::size_t operandBytes(const Task& task, std::size_t workspace);

// fill.cu: numbers of the type, uniform in [-scale, scale] by a hash of (seed, index), as they are stored for
// it
// (`storedScale` times their value); or NaN; or one value everywhere.
void fillRandom(DType type, const DeviceBuffer& bytes, std::uint64_t seed, float scale, cudaStream_t stream);
void fillNan(DType type, const DeviceBuffer& bytes, cudaStream_t stream);
void fillFloats(const DeviceBuffer& bytes, float value, cudaStream_t stream);
[[nodiscard]] float storedScale(DType type); // the number that stands for 1; 1 for types without scales

} // namespace headroom::kernels
