#pragma once

#include "kernels/cuda/launch.h"
#include "kernels/cuda/tile.cuh"

#include <cmath>
#include <cstdint>

// The second launch of attention whose keys were shared out: many threads put the parts of each row together.
// One block would wait longer for what it reads than all blocks took to compute it.
namespace headroom::kernels {
namespace {

constexpr int mergeThreads = 128;

// `place(group, row)`: where the row begins in the output, or -1.
template <typename T, typename Place>
__global__ void __launch_bounds__(mergeThreads)
    mergeKernel(PartialResults parts, T* output, std::int64_t quads, Place place)
{
    constexpr int together = 8; // parts, whose reads are on their way at once
    const std::int64_t at = std::int64_t(blockIdx.x) * mergeThreads + threadIdx.x;
    if (at >= quads)
        return;
    const int quadsOfRow = parts.width / 4;
    const int column = int(at % quadsOfRow) * 4;
    const int row = int(at / quadsOfRow % parts.rows);
    const int group = int(at / quadsOfRow / parts.rows);
    const std::int64_t to = place(group, row);
    if (to < 0)
        return;
    float high = -INFINITY;
    float sum = 0;
    float total[4] = {};
    for (int first = 0; first < parts.splits; first += together) {
        float largest[together];
        float weights[together];
        float4 part[together];
#pragma unroll
        for (int i = 0; i < together; ++i) {
            const int split = least(first + i, parts.splits - 1);
            largest[i] = parts.largest(group, split)[row];
            weights[i] = parts.sum(group, split)[row];
            part[i] = *reinterpret_cast<const float4*>(parts.of(group, split) + row * parts.width + column);
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
            const float share = first + i < parts.splits ? weightOfPart(largest[i], high) : 0.0F;
            sum += share * weights[i];
            total[0] += share * part[i].x;
            total[1] += share * part[i].y;
            total[2] += share * part[i].z;
            total[3] += share * part[i].w;
        }
    }
    const float inverse = 1 / sum;
    *reinterpret_cast<uint2*>(output + to + column) = make_uint2(
        packed<T>(total[0] * inverse, total[1] * inverse), packed<T>(total[2] * inverse, total[3] * inverse));
}

template <typename T, typename Place>
void launchMerge(const PartialResults& parts, int groups, T* output, const Place& place, cudaStream_t stream)
{
    const std::int64_t quads = std::int64_t(groups) * parts.rows * (parts.width / 4);
    launchKernel(mergeKernel<T, Place>, dim3(unsigned((quads + mergeThreads - 1) / mergeThreads)),
                 dim3(mergeThreads), 0, stream, parts, output, quads, place);
}

} // namespace
} // namespace headroom::kernels
