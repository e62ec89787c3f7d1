#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/index.h"
#include "kernels/cuda/primitives.cuh"
#include "kernels/cuda/widen.cuh"

#include <cstdint>
#include <type_traits>

namespace headroom::kernels {

// Tiles of 16-bit elements in shared memory, rows of `dim` (a multiple of 64) in swizzled chunks of eight
// (index.h), and the mma operands read from them. g = lane / 4, t = lane % 4, as in primitives.cuh.

// 16 rows from `row`, depth 16 from 16 * step: matrices (rows 0-7, k 0-7), (8-15, 0-7), (0-7, 8-15), (8-15,
// 8-15).
template <typename T, int dim>
__device__ inline void leftOperand(std::uint32_t (&out)[4], const T* tile, int row, int step,
                                   int lane = int(threadIdx.x) % 32)
{
    matrices4(out, tile + 8 * swizzled(row + lane % 16, 2 * step + lane / 16, dim / 8));
}

// Two column tiles whose columns are the rows `row` … `row + 15` of a tile (keys): out[0], out[1] for the
// first eight, out[2], out[3] for the others. Matrices (rows 0-7, k 0-7), (0-7, 8-15), (8-15, 0-7), (8-15,
// 8-15).
template <typename T, int dim>
__device__ inline void rightOperands(std::uint32_t (&out)[4], const T* tile, int row, int step,
                                     int lane = int(threadIdx.x) % 32)
{
    matrices4(out, tile + 8 * swizzled(row + lane % 8 + lane / 16 * 8, 2 * step + lane / 8 % 2, dim / 8));
}

// Two column tiles whose columns are 16 elements from 16 * pair and whose depth is the rows `row` … `row +
// 15` (values). Matrices (rows 0-7, columns 0-7), (8-15, 0-7), (0-7, 8-15), (8-15, 8-15), each transposed.
template <typename T, int dim>
__device__ inline void rightOperandsAcross(std::uint32_t (&out)[4], const T* tile, int row, int pair,
                                           int lane = int(threadIdx.x) % 32)
{
    matrices4Transposed(out, tile + 8 * swizzled(row + lane % 16, 2 * pair + lane / 16, dim / 8));
}

// Accumulators of two neighbouring column tiles become the left operand of the next product: (g, 2t) of the
// first are its columns 0-7, of the second its columns 8-15.
template <typename T>
__device__ inline void asLeftOperand(std::uint32_t (&out)[4], const float (&first)[4],
                                     const float (&second)[4])
{
    out[0] = packed<T>(first[0], first[1]);
    out[1] = packed<T>(first[2], first[3]);
    out[2] = packed<T>(second[0], second[1]);
    out[3] = packed<T>(second[2], second[3]);
}

// Sixteen narrow numbers without their scale as the chunks `chunk` and `chunk + 1` of a row of a tile.
template <typename T, typename K, int dim>
__device__ inline void putWidened(T* tile, int row, int chunk, const uint4& raw)
{
    static_assert(sizeof(K) == 1);
#pragma unroll
    for (int c = 0; c < 2; ++c) {
        std::uint32_t pairs[4];
        widened<T, K>(raw, c, pairs);
        *reinterpret_cast<uint4*>(tile + 8 * swizzled(row, chunk + c, dim / 8))
            = make_uint4(pairs[0], pairs[1], pairs[2], pairs[3]);
    }
}

// 16 bytes of 8-bit numbers times their scale as two chunks of T.
template <typename T, typename K>
__device__ inline void widenedChunks(const uint4& raw, float scale, uint4 (&out)[2])
{
    static_assert(sizeof(K) == 1);
    const K* const from = reinterpret_cast<const K*>(&raw);
    std::uint32_t words[8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
        words[i] = packed<T>(toFloat(from[2 * i]) * scale, toFloat(from[2 * i + 1]) * scale);
    out[0] = make_uint4(words[0], words[1], words[2], words[3]);
    out[1] = make_uint4(words[4], words[5], words[6], words[7]);
}

// Running maximum and sum of the two rows (g, g + 8) a lane holds, in base two: `scale` holds log2 e.
struct RunningSoftmax {
    float largest[2] = {-INFINITY, -INFINITY};
    float sum[2] = {0, 0}; // of this lane's columns; over the quad at the end

    // Turns scores into weights and returns by how much earlier results shrink. A row with nothing seen yet
    // keeps weights of zero.
    template <int tiles>
    __device__ void take(float (&scores)[tiles][4], float scale, float (&shrink)[2])
    {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            float high = -INFINITY;
#pragma unroll
            for (int j = 0; j < tiles; ++j)
                high = fmaxf(high, fmaxf(scores[j][2 * h], scores[j][2 * h + 1]));
            high = fmaxf(high, __shfl_xor_sync(0xFFFFFFFFU, high, 1));
            high = fmaxf(high, __shfl_xor_sync(0xFFFFFFFFU, high, 2));
            high = fmaxf(largest[h], high * scale);
            const float base = high == -INFINITY ? 0.0F : high;
            shrink[h] = powerOfTwo(largest[h] - base);
            largest[h] = high;
            sum[h] *= shrink[h];
#pragma unroll
            for (int j = 0; j < tiles; ++j)
#pragma unroll
                for (int e = 0; e < 2; ++e) {
                    scores[j][2 * h + e] = powerOfTwo(fmaf(scores[j][2 * h + e], scale, -base));
                    sum[h] += scores[j][2 * h + e];
                }
        }
    }
    __device__ void addOverQuad()
    {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            sum[h] += __shfl_xor_sync(0xFFFFFFFFU, sum[h], 1);
            sum[h] += __shfl_xor_sync(0xFFFFFFFFU, sum[h], 2);
        }
    }
};

// What a partial result counts for when the largest score of all is `largest`.
__device__ inline float weightOfPart(float partLargest, float largest)
{
    return partLargest == -INFINITY ? 0.0F : powerOfTwo(partLargest - largest);
}

// Partial results of the parts of one group of rows, in the workspace: `rows` x `width` sums, then `rows`
// largest scores, then `rows` sums of weights.
struct PartialResults {
    float* data = nullptr;
    int rows = 0;
    int width = 0;
    int splits = 0;
    __device__ float* of(int group, int split) const
    {
        return data + (std::int64_t(group) * splits + split) * rows * (width + 2);
    }
    __device__ float* largest(int group, int split) const { return of(group, split) + rows * width; }
    __device__ float* sum(int group, int split) const { return largest(group, split) + rows; }
};
HEADROOM_BOTH inline std::size_t partialFloats(std::int64_t groups, int splits, int rows, int width)
{
    return std::size_t(groups) * std::size_t(splits) * std::size_t(rows) * std::size_t(width + 2);
}

// True in the block that finished last of `splits`; the counter is zero again for the next launch. Call it by
// all threads after the part was written.
__device__ inline bool lastOf(int* counter, int splits)
{
    __shared__ int place;
    __threadfence(); // this thread's part is visible before it is counted
    __syncthreads();
    if (threadIdx.x == 0)
        place = atomicAdd(counter, 1);
    __syncthreads();
    if (place != splits - 1)
        return false;
    if (threadIdx.x == 0)
        *counter = 0;
    __threadfence();
    return true;
}

// The same with one fence for all: what the block's threads wrote before its barrier is ordered before what
// the thread that counts does after it. Readers pass by the first cache (__ldcg).
__device__ inline bool lastBlockOf(int* counter, int splits)
{
    __shared__ int before;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        before = atomicAdd(counter, 1);
        if (before == splits - 1)
            *counter = 0;
        __threadfence();
    }
    __syncthreads();
    return before == splits - 1;
}

} // namespace headroom::kernels
