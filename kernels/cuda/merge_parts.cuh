#pragma once

#include "kernels/cuda/launch.h"
#include "kernels/cuda/tile.cuh"

#include <cmath>
#include <cstdint>

// The second launch of attention whose keys were shared out: many threads put the parts of each row together.
// One block would wait longer for what it reads than all blocks took to compute it.
namespace headroom::kernels {
namespace {

constexpr int mergeWarps = 4;

// Each lane has four columns of a row; `sharing` warps of a block, all or one, share its parts out.
// `place.row(group, row)`: where the row begins in the output, or -1; `place.parts(group)`: how many there
// are.
template <typename T, int sharing, typename Place>
__global__ void __launch_bounds__(mergeWarps * 32)
    mergeKernel(PartialResults parts, T* output, std::int64_t quads, Place place)
{
    constexpr int together = 8; // parts, whose reads are on their way at once
    __shared__ float largestOf[sharing][32];
    __shared__ float sumOf[sharing][32];
    __shared__ float4 totalOf[sharing][32];
    const int warp = int(threadIdx.x) / 32;
    const int lane = int(threadIdx.x) % 32;
    static_assert(sharing == 1 || sharing == mergeWarps);
    const int shareOf = warp % sharing;
    const std::int64_t at = (std::int64_t(blockIdx.x) * (mergeWarps / sharing) + warp / sharing) * 32 + lane;
    const int quadsOfRow = parts.width / 4;
    const int column = int(at % quadsOfRow) * 4;
    const int row = int(at / quadsOfRow % parts.rows);
    const int group = int(at / quadsOfRow / parts.rows);
    const std::int64_t to = at < quads ? place.row(group, row) : -1;
    const int count = to >= 0 ? place.parts(group) : 0;
    float high = -INFINITY;
    float sum = 0;
    float total[4] = {};
    for (int first = shareOf; first < count; first += sharing * together) {
        float largest[together];
        float weights[together];
        float4 part[together];
#pragma unroll
        for (int i = 0; i < together; ++i) {
            const int split = first + i * sharing;
            const bool there = split < count;
            largest[i] = there ? parts.largest(group, split)[row] : -INFINITY;
            weights[i] = there ? parts.sum(group, split)[row] : 0.0F;
            part[i] = there
                ? *reinterpret_cast<const float4*>(parts.of(group, split) + row * parts.width + column)
                : make_float4(0, 0, 0, 0);
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
            const float share = weightOfPart(largest[i], high);
            sum += share * weights[i];
            total[0] += share * part[i].x;
            total[1] += share * part[i].y;
            total[2] += share * part[i].z;
            total[3] += share * part[i].w;
        }
    }
    float4 all = make_float4(total[0], total[1], total[2], total[3]);
    if constexpr (sharing > 1) {
        largestOf[warp][lane] = high;
        sumOf[warp][lane] = sum;
        totalOf[warp][lane] = all;
        __syncthreads();
        if (warp > 0)
            return;
#pragma unroll
        for (int w = 1; w < mergeWarps; ++w)
            high = fmaxf(high, largestOf[w][lane]);
        all = make_float4(0, 0, 0, 0);
        sum = 0;
#pragma unroll
        for (int w = 0; w < mergeWarps; ++w) {
            const float share = weightOfPart(largestOf[w][lane], high);
            const float4 value = totalOf[w][lane];
            sum += share * sumOf[w][lane];
            all.x += share * value.x;
            all.y += share * value.y;
            all.z += share * value.z;
            all.w += share * value.w;
        }
    }
    if (to < 0)
        return;
    const float inverse = 1 / sum;
    *reinterpret_cast<uint2*>(output + to + column) = make_uint2(packed<T>(all.x * inverse, all.y * inverse),
                                                                 packed<T>(all.z * inverse, all.w * inverse));
}

template <typename T, typename Place>
void launchMerge(const PartialResults& parts, int groups, T* output, const Place& place, cudaStream_t stream)
{
    constexpr int ofOne = 8; // parts that one warp reads at once
    const std::int64_t quads = std::int64_t(groups) * parts.rows * (parts.width / 4);
    const auto blocks = [&](int warps) { return dim3(unsigned((quads + 32 * warps - 1) / (32 * warps))); };
    if (parts.splits <= ofOne)
        launchKernel(mergeKernel<T, 1, Place>, blocks(mergeWarps), dim3(mergeWarps * 32), 0, stream, parts,
                     output, quads, place);
    else
        launchKernel(mergeKernel<T, mergeWarps, Place>, blocks(1), dim3(mergeWarps * 32), 0, stream, parts,
                     output, quads, place);
}

} // namespace
} // namespace headroom::kernels
