#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/index.h"
#include "kernels/cuda/primitives.cuh"
#include "kernels/cuda/widen.cuh"

#include <cstdint>
#include <type_traits>

namespace headroom::kernels {

// Products of 16-bit rows with weights of 4, 8 or 16 bits on tensor cores, without shared memory: every lane
// reads 16 bytes of a weight row as they lie, which are its part of the mma's operand if the row of
// activations is read in the same order. The order of the sum over k is free, so no reordering of weights is
// needed.

template <typename W>
constexpr int elementsPerLoad = std::is_same_v<W, Nibble> ? 32 : 16 / int(sizeof(W));
template <typename W>
constexpr bool isScaled = sizeof(W) == 1;
// Row tiles of a block when there are many rows: scaled weights keep a second set of sums, for the group at
// hand.
template <typename W>
constexpr int wideTiles = isScaled<W> ? 2 : 4;
// Depth a warp covers with one load a lane.
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

// Whether the tensor-core path takes these rows: 16-byte loads must be aligned and a warp's step must lie in
// one group.
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

// Sums of one warp's share of the depth for mTiles x 16 rows and nTiles x 8 weight rows, in mma accumulator
// order (primitives.cuh). `rows[i][h]`: activations of row 16 i + 8 h + lane / 4, null beyond the last.
// `rowOf(j, i)`: which weight row stands in column i of tile j, negative for none.
template <typename T, typename W, int mTiles, int nTiles, typename RowOf>
__device__ inline void warpProduct(float (&total)[mTiles][nTiles][4], const T* const (&rows)[mTiles][2],
                                   const WeightView<W>& weights, const RowOf& rowOf, int warp, int warps)
{
    constexpr int load = elementsPerLoad<W>;
    constexpr int step = stepOf<W>;
    constexpr int ahead = mTiles > 1 ? 1 : nTiles > 1 ? 2 : 4; // loads of one tile in flight
    const int lane = int(threadIdx.x) % 32;
    const int inQuad = lane % 4;
    const std::uint8_t* from[nTiles];
#pragma unroll
    for (int j = 0; j < nTiles; ++j) {
        const std::int64_t row = rowOf(j, lane / 4);
        from[j] = row < 0 ? nullptr : weights.bytes + row * weights.rowBytes();
    }
    float part[mTiles][nTiles][4];
    int current = -1; // group whose sums stand in `part`
    const auto flush = [&] {
#pragma unroll
        for (int j = 0; j < nTiles; ++j)
#pragma unroll
            for (int e = 0; e < 2; ++e) {
                const std::int64_t row = rowOf(j, 2 * inQuad + e);
                const float scale = row < 0 ? 0.0F : weights.scales[row * weights.groups + current];
#pragma unroll
                for (int i = 0; i < mTiles; ++i) {
                    total[i][j][e] += part[i][j][e] * scale;
                    total[i][j][e + 2] += part[i][j][e + 2] * scale;
                }
            }
    };
    for (int base = warp * step; base < weights.depth; base += ahead * warps * step) {
        uint4 raw[ahead][nTiles];
#pragma unroll
        for (int a = 0; a < ahead; ++a) {
            const int at = base + a * warps * step + inQuad * load;
#pragma unroll
            for (int j = 0; j < nTiles; ++j)
                raw[a][j] = at < weights.depth && from[j] != nullptr
                    ? streamed16(from[j] + (std::is_same_v<W, Nibble> ? at / 2 : at * int(sizeof(W))))
                    : make_uint4(0, 0, 0, 0);
        }
#pragma unroll
        for (int a = 0; a < ahead; ++a) {
            const int first = base + a * warps * step;
            if (first >= weights.depth) // the same for the whole warp
                break;
            const int at = first + inQuad * load;
            if constexpr (isScaled<W>) {
                const int group = first / weights.group;
                if (group != current) {
                    if (current >= 0)
                        flush();
                    current = group;
#pragma unroll
                    for (int i = 0; i < mTiles; ++i)
#pragma unroll
                        for (int j = 0; j < nTiles; ++j)
#pragma unroll
                            for (int e = 0; e < 4; ++e)
                                part[i][j][e] = 0;
                }
            }
#pragma unroll
            for (int c = 0; c < load / 8; ++c) {
                std::uint32_t b[nTiles][4];
#pragma unroll
                for (int j = 0; j < nTiles; ++j)
                    widened<T, W>(raw[a][j], c, b[j]);
#pragma unroll
                for (int i = 0; i < mTiles; ++i) {
                    std::uint32_t x[2][4];
#pragma unroll
                    for (int h = 0; h < 2; ++h)
                        // Zeros beyond the depth: whatever the weights' zero bits mean there is multiplied by
                        // them.
                        ordered<W>(at < weights.depth && rows[i][h] != nullptr
                                       ? *reinterpret_cast<const uint4*>(rows[i][h] + at + 8 * c)
                                       : make_uint4(0, 0, 0, 0),
                                   x[h]);
#pragma unroll
                    for (int half = 0; half < 2;
                         ++half) { // pairs 0 and 1, then 2 and 3: 16 deep each over the quad
                        const std::uint32_t operand[4]
                            = {x[0][2 * half], x[1][2 * half], x[0][2 * half + 1], x[1][2 * half + 1]};
#pragma unroll
                        for (int j = 0; j < nTiles; ++j)
                            multiplyTile<T>(isScaled<W> ? part[i][j] : total[i][j], operand, b[j][2 * half],
                                            b[j][2 * half + 1]);
                    }
                }
            }
        }
    }
    if constexpr (isScaled<W>)
        if (current >= 0)
            flush();
}

// Adds the warps' sums; the first warp has the result. `shared` holds warps / 2 x 32 x mTiles x nTiles x 4
// floats; `warps` is a power of two and the same for the whole block.
template <int mTiles, int nTiles>
__device__ inline void sumOfWarps(float (&total)[mTiles][nTiles][4], float* shared, int warp, int warps)
{
    constexpr int size = mTiles * nTiles * 4;
    const int lane = int(threadIdx.x) % 32;
    for (int half = warps / 2; half > 0; half /= 2) {
        if (warp >= half && warp < 2 * half)
#pragma unroll
            for (int s = 0; s < size; ++s)
                shared[((warp - half) * size + s) * 32 + lane] = total[s / 4 / nTiles][s / 4 % nTiles][s % 4];
        __syncthreads();
        if (warp < half)
#pragma unroll
            for (int s = 0; s < size; ++s)
                total[s / 4 / nTiles][s / 4 % nTiles][s % 4] += shared[(warp * size + s) * 32 + lane];
        __syncthreads();
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
