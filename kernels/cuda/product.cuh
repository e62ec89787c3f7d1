#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/index.h"
#include "kernels/cuda/primitives.cuh"
#include "kernels/cuda/widen.cuh"

#include <cstdint>
#include <type_traits>

namespace headroom::kernels {

// What products of 16-bit rows with weights of 4, 8 or 16 bits share (streamed.cuh, staged.cuh, narrow.cuh).
// Weights are read as they lie: the order of the sum over k is free, so no reordered copy of them is needed.

template <typename W>
constexpr int elementsPerLoad = std::is_same_v<W, Nibble> ? 32 : 16 / int(sizeof(W));
template <typename W>
constexpr bool isScaled = sizeof(W) == 1;
// Depth of four neighbouring loads of a row, 64 bytes: a step of the kernels that stream weights.
template <typename W>
constexpr int stepOf = 4 * elementsPerLoad<W>;

template <typename W>
struct WeightView {
    const std::uint8_t* bytes = nullptr;
    const float* scales = nullptr; // row x groups
    int depth = 0;
    int group = 1;  // elements that share a scale
    int groups = 1; // of a row
    __device__ std::int64_t rowBytes() const
    {
        return std::is_same_v<W, Nibble> ? (std::int64_t(depth) + 1) / 2
                                         : std::int64_t(depth) * int(sizeof(W));
    }
};

// Whether the tensor-core path takes these rows: 16-byte loads must be aligned and a step must lie in one
// group.
template <typename W>
constexpr bool productTakes(std::int64_t depth, int group)
{
    return depth % elementsPerLoad<W> == 0 && (!isScaled<W> || group >= depth || group % stepOf<W> == 0);
}

// Eight activations in the order in which `widened` gives weights.
template <typename W>
__device__ inline void ordered(const uint4& natural, std::uint32_t (&pairs)[4])
{
    if constexpr (std::is_same_v<W, Nibble>) {
        pairs[0] = __byte_perm(natural.x, natural.z, 0x5410U); // 0 and 4
        pairs[1] = __byte_perm(natural.x, natural.z, 0x7632U); // 1 and 5
        pairs[2] = __byte_perm(natural.y, natural.w, 0x5410U); // 2 and 6
        pairs[3] = __byte_perm(natural.y, natural.w, 0x7632U); // 3 and 7
    } else {
        pairs[0] = natural.x;
        pairs[1] = natural.y;
        pairs[2] = natural.z;
        pairs[3] = natural.w;
    }
}

// One weight as a number, for the kernels that take any size.
template <typename W>
__device__ inline float weightAt(const WeightView<W>& weights, std::int64_t row, int column)
{
    const std::uint8_t* const bytes = weights.bytes + row * weights.rowBytes();
    if constexpr (std::is_same_v<W, Nibble>) {
        const int pair = bytes[column / 2];
        return float((column % 2 == 0 ? pair & 0xF : pair >> 4) - 8)
            * weights.scales[row * weights.groups + column / weights.group];
    } else {
        const float value = toFloat(reinterpret_cast<const W*>(bytes)[column]);
        return isScaled<W> ? value * weights.scales[row * weights.groups + column / weights.group] : value;
    }
}

// Product of one row with one weight row by a warp, any size; every lane gets it.
template <typename T, typename W>
__device__ inline float plainDot(const T* x, const WeightView<W>& weights, std::int64_t row)
{
    float sum = 0;
    for (int i = int(threadIdx.x) % 32; i < weights.depth; i += 32)
        sum += toFloat(x[i]) * weightAt(weights, row, i);
    return sumOfWarp(sum);
}

} // namespace headroom::kernels
