#pragma once

#include "kernels/cuda/decode_tiles.cuh"

#include <cmath>
#include <cstdint>

// How the results of a decode attention's warps, and of its blocks, are put together.
namespace headroom::kernels {
namespace {

template <int dim>
constexpr int sumStride = dim + 8; // floats: neighbouring heads begin in different banks
// True in the block that finished last of `blocks`; the counter is zero again for the next launch. Call it by
// all threads after what they wrote.
__device__ inline bool lastOfBlocks(int* counter, int blocks)
{
    __shared__ bool last;
    __syncthreads();
    if (threadIdx.x == 0) { // what the barrier ordered before it is visible with its fence
        __threadfence();
        last = atomicAdd(counter, 1) == blocks - 1;
        if (last)
            *counter = 0;
        __threadfence();
    }
    __syncthreads();
    return last;
}

// The block that finishes last of `pieces` puts their results together, all threads side by side; each reads
// many pieces at once, as nothing else hides what a read takes.
template <typename T, typename K>
__device__ inline void mergePieces(const DecodeArguments<T, K>& a, int group, int pieces, int heads,
                                   T* output)
{
    constexpr int together = 16;
    const int quads = a.headDim / 4;
    for (int at = int(threadIdx.x); at < heads * quads; at += int(blockDim.x)) {
        const int row = at / quads;
        const int column = at % quads * 4;
        float high = -INFINITY;
        float sum = 0;
        float total[4] = {};
        for (int first = 0; first < pieces; first += together) {
            float largest[together];
            float weights[together];
            float4 part[together];
#pragma unroll
            for (int i = 0; i < together; ++i) {
                const int piece = least(first + i, pieces - 1);
                largest[i] = __ldcg(a.parts.largest(group, piece) + row);
                weights[i] = __ldcg(a.parts.sum(group, piece) + row);
                part[i] = __ldcg(
                    reinterpret_cast<const float4*>(a.parts.of(group, piece) + row * a.parts.width + column));
            }
            const float before = high;
#pragma unroll
            for (int i = 0; i < together; ++i)
                high = fmaxf(high, largest[i]);
            const float shrink = weightOfPart(before, high);
            sum *= shrink;
#pragma unroll
            for (int e = 0; e < 4; ++e)
                total[e] *= shrink;
#pragma unroll
            for (int i = 0; i < together; ++i) {
                const float share = first + i < pieces ? weightOfPart(largest[i], high) : 0.0F;
                sum += share * weights[i];
                total[0] += share * part[i].x;
                total[1] += share * part[i].y;
                total[2] += share * part[i].z;
                total[3] += share * part[i].w;
            }
        }
        *reinterpret_cast<uint2*>(output + row * a.headDim + column) = make_uint2(
            packed<T>(total[0] / sum, total[1] / sum), packed<T>(total[2] / sum, total[3] / sum));
    }
}

// Results of the block's warps, put together: to the output, or to its piece's place in the workspace.
template <typename T, typename K, int dim, int headTiles>
__device__ inline void putTogether(const DecodeArguments<T, K>& a, int group, int piece, int pieces,
                                   int heads, const float (&result)[headTiles][dim / 16][4],
                                   const LazySoftmax (&softmax)[headTiles], T* output)
{
    constexpr int warps = warpsOf<dim>;
    constexpr int rows = headTiles * tileHeads;
    constexpr int stride = sumStride<dim>;
    __shared__ float largestOf[warps][rows];
    __shared__ float sumOf[warps][rows];
    float* const sums = reinterpret_cast<float*>(dynamicShared());
    const int warp = int(threadIdx.x) / 32;
    const int lane = int(threadIdx.x) % 32;
#pragma unroll
    for (int n = 0; n < headTiles; ++n)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int row = tileHeads * n + lane % 4 * 2 + h;
#pragma unroll
            for (int m = 0; m < dim / 16; ++m)
                *reinterpret_cast<float2*>(sums + (warp * rows + row) * stride + valueColumn<T, K, dim>(m))
                    = make_float2(result[n][m][h], result[n][m][2 + h]);
            if (lane < 4) {
                largestOf[warp][row] = softmax[n].base[h];
                sumOf[warp][row] = softmax[n].sum[h];
            }
        }
    __syncthreads();
    const int quads = a.headDim / 4;
    for (int at = int(threadIdx.x); at < heads * quads; at += int(blockDim.x)) {
        const int row = at / quads;
        const int column = at % quads * 4;
        float high = -INFINITY;
#pragma unroll
        for (int w = 0; w < warps; ++w)
            high = fmaxf(high, largestOf[w][row]);
        float4 value = make_float4(0, 0, 0, 0);
        float sum = 0;
#pragma unroll
        for (int w = 0; w < warps; ++w) {
            const float weight = weightOfPart(largestOf[w][row], high);
            const float4 part = *reinterpret_cast<const float4*>(sums + (w * rows + row) * stride + column);
            value.x += weight * part.x;
            value.y += weight * part.y;
            value.z += weight * part.z;
            value.w += weight * part.w;
            sum += weight * sumOf[w][row];
        }
        const float factor = pieces == 1 ? restOf<T, K> / sum : restOf<T, K>;
        value.x *= factor, value.y *= factor, value.z *= factor, value.w *= factor;
        if (pieces == 1) {
            *reinterpret_cast<uint2*>(output + row * a.headDim + column)
                = make_uint2(packed<T>(value.x, value.y), packed<T>(value.z, value.w));
            continue;
        }
        *reinterpret_cast<float4*>(a.parts.of(group, piece) + row * a.parts.width + column) = value;
        if (column == 0) {
            a.parts.largest(group, piece)[row] = high;
            a.parts.sum(group, piece)[row] = sum;
        }
    }
}

} // namespace
} // namespace headroom::kernels
