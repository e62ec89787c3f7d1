#pragma once

#include "kernels/cuda/latent_tiles.cuh"
#include "kernels/cuda/warp_groups.cuh"

#include <cmath>

// The latent attention of compute capability 9.0, for 16-bit caches. A block takes 64 heads of a sequence and
// one part of its tokens. Two groups of four warps multiply: the first computes the scores and weights of a
// tile of 64 tokens, then each sums its half of the latent columns; the scores of the next tile follow behind
// those sums. A third group brings tiles, two ahead.
#if defined(HEADROOM_WARP_GROUPS) && !defined(HEADROOM_EMULATED)
namespace headroom::kernels {
namespace {
namespace groups {

constexpr int rows = 64;
constexpr int tokens = 64; // of a tile
constexpr int stages = 2;
constexpr int threads = 3 * 128;
constexpr int blockBytes = tokens * 128; // 64 columns of a tile, or of the queries
constexpr int tileBytes = dim / 64 * blockBytes;
constexpr std::size_t sharedBytes
    = 1024 + std::size_t(rows / tokens + stages) * tileBytes + blockBytes; // queries, tiles, weights

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

__device__ inline int placeOf(int row, int chunk) // bytes
{
    return chunk / 8 * blockBytes + row * 128 + ((chunk % 8) ^ (row % 8)) * 16;
}

struct Shared {
    std::uint64_t full[stages];
    std::uint64_t empty[stages];
    float shrink[rows];
    float largest[rows];
    float sum[rows];
};

// Four warps bring all tiles, a quarter of the rows each.
template <typename T>
__device__ inline void bring(const LatentArguments<T, T>& a, unsigned char* to, Shared& shared, int sequence,
                             TokenRange range)
{
    const int lane = int(threadIdx.x) % 32;
    const int firstRow = int(threadIdx.x) / 32 % 4 * 16;
    const auto find = [&](int first) {
        const int token = first + firstRow + lane % 16;
        return token < range.end ? cacheRow(a.pages, sequence, 0, token) : -1;
    };
    int found = find(range.begin);
    int tile = 0;
    for (int token = range.begin; token < range.end; token += tokens, ++tile) {
        const int stage = tile % stages;
        if (tile >= stages)
            barrierWait(shared.empty + stage, (tile / stages - 1) % 2);
        unsigned char* const at = to + stage * tileBytes;
#pragma unroll
        for (int i = 0; i < 4; ++i) {
            const int row = 4 * i + lane / 8;
            const int cached = __shfl_sync(0xFFFFFFFFU, found, row);
            const T* const from = a.cache + std::int64_t(most(cached, 0)) * a.keyDim + lane % 8 * 8;
            unsigned char* const place = at + placeOf(firstRow + row, lane % 8);
            const int columns = cached < 0 ? 0 : a.keyDim - lane % 8 * 8; // that are there from here on
#pragma unroll
            for (int block = 0; block < dim / 64; ++block)
                copyAsync(place + block * blockBytes, 64 * block < columns ? from + 64 * block : a.cache,
                          64 * block < columns);
        }
        barrierArriveCopied(shared.full + stage);
        found = find(token + tokens);
    }
}

// Scores of a tile with all heads of the block, by the first group.
template <typename T>
__device__ inline void startScores(float (&scores)[tokens / 2], std::uint32_t query, std::uint32_t keys)
{
    const std::uint64_t left = operandAt(unsigned(anew(int(query))));
    const std::uint64_t right = operandAt(keys);
#pragma unroll
    for (int step = 0; step < dim / 16; ++step) {
        const unsigned on = unsigned(step / 4 * blockBytes + step % 4 * 32) / 16;
        multiplyGroup<T, false>(scores, left + on, right + on, step > 0);
    }
    groupCommit();
}

// Weighted sums of half of the latent columns.
template <typename T>
__device__ inline void startSums(float (&result)[width / 4], std::uint32_t weights, std::uint32_t values)
{
#pragma unroll
    for (int step = 0; step < tokens / 16; ++step)
        multiplyGroup<T, true>(result, operandAt(weights + unsigned(step) * 32),
                               operandAt(values + unsigned(step) * 2048, blockBytes), true);
    groupCommit();
}

__device__ inline void rescale(float (&result)[width / 4], float first, float second)
{
    if (__any_sync(0xFFFFFFFFU, first != 1.0F || second != 1.0F))
#pragma unroll
        for (int i = 0; i < width / 4; ++i)
            result[i] *= i / 2 % 2 == 0 ? first : second;
}

constexpr int weightsThere = 1; // barriers of the two groups
constexpr int weightsUsed = 2;

template <typename T>
__device__ inline void scoreAndSum(const LatentArguments<T, T>& a, std::uint32_t query, std::uint32_t tiles,
                                   unsigned char* weights, Shared& shared, TokenRange range,
                                   float (&result)[width / 4])
{
    const int lane = int(threadIdx.x) % 32;
    const int row = int(threadIdx.x) / 32 * 16 + lane / 4; // and eight further on
    const int count = ceilDiv(range.end - range.begin, tokens);
    const std::uint32_t weightsAt = sharedAddress(weights);
    GroupSoftmax softmax;
    float scores[tokens / 2];
    float shrink[2];
    const auto weigh = [&](int tile) {
        const int there = range.end - range.begin - tile * tokens;
        if (there < tokens)
#pragma unroll
            for (int i = 0; i < tokens / 2; ++i)
                scores[i] = i / 4 * 8 + lane % 4 * 2 + i % 2 < there ? scores[i] : -INFINITY;
        softmax.take(scores, a.scoreScale, shrink);
    };
    // The weights where both groups read them, and by how much what was summed before shrinks.
    const auto show = [&] {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
#pragma unroll
            for (int j = 0; j < tokens / 8; ++j)
                *reinterpret_cast<std::uint32_t*>(weights + placeOf(row + 8 * h, j) + lane % 4 * 4)
                    = packed<T>(scores[4 * j + 2 * h], scores[4 * j + 2 * h + 1]);
            if (lane % 4 == 0)
                shared.shrink[row + 8 * h] = shrink[h];
        }
        fenceShared();
        barrierOfSome(weightsThere, 256);
        rescale(result, shrink[0], shrink[1]);
    };
    if (count > 0) {
        barrierWait(shared.full, 0);
        fenceShared();
        groupBegin();
        startScores<T>(scores, query, tiles);
        groupWait<0>();
        pinned(scores);
        weigh(0);
        for (int tile = 0; tile + 1 < count; ++tile) {
            const int stage = tile % stages;
            const int next = (tile + 1) % stages;
            show();
            groupBegin();
            startSums<T>(result, weightsAt, tiles + unsigned(stage * tileBytes));
            barrierWait(shared.full + next, (tile + 1) / stages % 2);
            fenceShared();
            groupBegin();
            startScores<T>(scores, query, tiles + unsigned(next * tileBytes));
            groupWait<1>();
            pinned(result);
            if (lane == 0)
                barrierArrive(shared.empty + stage);
            groupWait<0>();
            pinned(scores);
            weigh(tile + 1);
            barrierOfSome(weightsUsed, 256);
        }
        show();
        groupBegin();
        startSums<T>(result, weightsAt, tiles + unsigned((count - 1) % stages * tileBytes));
        groupWait<0>();
        pinned(result);
    }
    softmax.addOverQuad();
    if (lane % 4 == 0)
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            shared.largest[row + 8 * h] = softmax.largest[h];
            shared.sum[row + 8 * h] = softmax.sum[h];
        }
    barrierOfSome(weightsThere, 256);
}

template <typename T>
__device__ inline void sumOnly(std::uint32_t tiles, std::uint32_t weights, Shared& shared, TokenRange range,
                               float (&result)[width / 4])
{
    const int lane = int(threadIdx.x) % 32;
    const int row = int(threadIdx.x) / 32 % 4 * 16 + lane / 4;
    const int count = ceilDiv(range.end - range.begin, tokens);
    for (int tile = 0; tile < count; ++tile) {
        const int stage = tile % stages;
        barrierOfSome(weightsThere, 256);
        rescale(result, shared.shrink[row], shared.shrink[row + 8]);
        barrierWait(shared.full + stage, tile / stages % 2);
        fenceShared();
        groupBegin();
        startSums<T>(result, weights, tiles + unsigned(stage * tileBytes));
        groupWait<0>();
        pinned(result);
        if (lane == 0)
            barrierArrive(shared.empty + stage);
        if (tile + 1 < count)
            barrierOfSome(weightsUsed, 256);
    }
    barrierOfSome(weightsThere, 256);
}

#endif

template <typename T>
__global__ void __launch_bounds__(threads, 1) latentGroupKernel(LatentArguments<T, T> a)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ Shared shared;
    const std::uint32_t start = sharedAddress(dynamicShared());
    unsigned char* const query = dynamicShared() + ((start + 1023) / 1024 * 1024 - start);
    unsigned char* const tiles = query + tileBytes;
    unsigned char* const weights = tiles + stages * tileBytes;
    const int warp = int(threadIdx.x) / 32;
    const int split = int(blockIdx.x);
    const int sequence = int(blockIdx.z);
    const int firstHead = int(blockIdx.y) * rows;
    const int heads = least(rows, a.heads - firstHead);
    const TokenRange range = splitRange(a.length[sequence], tokens, a.parts.splits, split);
    if (threadIdx.x == 0)
        for (int stage = 0; stage < stages; ++stage) {
            barrierInit(&shared.full[stage], 128);
            barrierInit(&shared.empty[stage], 8);
        }
    __syncthreads();
    if (warp >= 8) {
        giveRegisters<56>();
        bring<T>(a, tiles, shared, sequence, range);
        return;
    }
    takeRegisters<224>();
    for (int at = int(threadIdx.x); at < rows * dim / 8; at += 256) {
        const int row = at / (dim / 8);
        const int chunk = at % (dim / 8);
        const std::int64_t from = (std::int64_t(sequence) * a.heads + firstHead + row) * a.keyDim + chunk * 8;
        *reinterpret_cast<uint4*>(query + placeOf(row, chunk)) = row < heads && chunk * 8 < a.keyDim
            ? *reinterpret_cast<const uint4*>(a.query + from)
            : make_uint4(0, 0, 0, 0);
    }
    fenceShared();
    barrierOfSome(weightsThere, 256);
    const int half = warp / 4;
    float result[width / 4] = {};
    if (half == 0)
        scoreAndSum<T>(a, sharedAddress(query), sharedAddress(tiles), weights, shared, range, result);
    else
        sumOnly<T>(sharedAddress(tiles) + width / 128 * blockBytes, sharedAddress(weights), shared, range,
                   result);
    const bool whole = a.parts.splits == 1;
    const int lane = int(threadIdx.x) % 32;
    const int group = sequence * int(gridDim.y) + int(blockIdx.y);
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        const int row = warp % 4 * 16 + lane / 4 + 8 * h;
        if (row >= heads)
            continue;
        const float inverse = whole ? 1 / shared.sum[row] : 1.0F;
        float* const part = a.parts.of(group, split) + row * a.parts.width;
        T* const output = a.output + (std::int64_t(sequence) * a.heads + firstHead + row) * a.latent;
#pragma unroll
        for (int j = 0; j < width / 16; ++j) {
            const int column = half * (width / 2) + 8 * j + lane % 4 * 2;
            if (column >= a.latent)
                continue;
            const float first = result[4 * j + 2 * h] * inverse;
            const float second = result[4 * j + 2 * h + 1] * inverse;
            if (whole)
                *reinterpret_cast<std::uint32_t*>(output + column) = packed<T>(first, second);
            else
                *reinterpret_cast<float2*>(part + column) = make_float2(first, second);
        }
        if (!whole && half == 0 && lane % 4 == 0) {
            a.parts.largest(group, split)[row] = shared.largest[row];
            a.parts.sum(group, split)[row] = shared.sum[row];
        }
    }
#else
    __trap(); // chosen on capability 9.0 alone
#endif
}

} // namespace groups
} // namespace
} // namespace headroom::kernels
#endif
