#pragma once

#include "kernels/cuda/prefill_tiles.cuh"
#include "kernels/cuda/warp_groups.cuh"

#include <cmath>

// The prefill attention of compute capability 9.0, for 16-bit caches and heads of up to 128. Two groups of
// four warps multiply, 64 new tokens each; a third brings tiles of 128 cached tokens, two warps the keys, two
// the values, two tiles ahead. Within a group the scores of one tile are computed while the weights of the
// one before meet their values, and the groups take turns by themselves.
#if defined(HEADROOM_WARP_GROUPS) && !defined(HEADROOM_EMULATED)
namespace headroom::kernels {
namespace {
namespace groups {

constexpr int rows = 128;
constexpr int tokens = 128; // of a tile
constexpr int stages = 2;
constexpr int multiplying = 8; // warps
constexpr int bringing = 4;
constexpr int threads = (multiplying + bringing) * 32;

// Tiles lie in halves of 64 columns: rows of 128 bytes.
template <int dim>
constexpr int tileBytes = tokens* dim * 2;
template <int dim>
constexpr std::size_t sharedBytes
    = 1024 + std::size_t(rows) * dim * 2 + 2 * stages* std::size_t(tileBytes<dim>);

#if defined(__CUDA_ARCH_FEAT_SM90_ALL)

__device__ inline int placeOf(int row, int chunk) // bytes
{
    return chunk / 8 * tokens * 128 + row * 128 + ((chunk % 8) ^ (row % 8)) * 16;
}

struct Barriers {
    std::uint64_t full[2][stages]; // keys, values
    std::uint64_t empty[2][stages];
};

// Two warps bring the keys or the values of all tiles, half of the rows each.
template <typename T, int dim>
__device__ inline void bring(const PrefillArguments<T, T>& a, const T* from, unsigned char* to,
                             std::uint64_t* full, std::uint64_t* empty, int sequence, int head,
                             TokenRange range, int half)
{
    // Four rows at once, eight lanes to 64 columns of each; every other four are swizzled alike.
    constexpr int each = tokens / 2;
    const int lane = int(threadIdx.x) % 32;
    const int places[2]
        = {placeOf(each * half + lane / 8, lane % 8), placeOf(each * half + 4 + lane / 8, lane % 8)};
    from += lane % 8 * 8;
    bool inside[dim / 64];
#pragma unroll
    for (int block = 0; block < dim / 64; ++block)
        inside[block] = 64 * block + lane % 8 * 8 < a.headDim;
    int found[each / 32];
    const auto find = [&](int first) {
#pragma unroll
        for (int j = 0; j < each / 32; ++j) {
            const int token = first + each * half + 32 * j + lane;
            found[j] = token < range.end ? cacheRow(a.pages, sequence, head, token) : -1;
        }
    };
    find(range.begin);
    int tile = 0;
    for (int token = range.begin; token < range.end; token += tokens, ++tile) {
        const int stage = tile % stages;
        if (tile >= stages)
            barrierWait(empty + stage, (tile / stages - 1) % 2);
        unsigned char* const at = to + stage * tileBytes<dim>;
#pragma unroll
        for (int i = 0; i < each / 4; ++i) {
            const int cached = __shfl_sync(0xFFFFFFFFU, found[i / 8], i % 8 * 4 + lane / 8);
            const T* const row = from + std::int64_t(most(cached, 0)) * a.headDim;
#pragma unroll
            for (int block = 0; block < dim / 64; ++block) {
                const bool valid = cached >= 0 && inside[block];
                copyAsync(at + places[i % 2] + i / 2 * 1024 + block * tokens * 128,
                          inside[block] ? row + 64 * block : from, valid);
            }
        }
        barrierArriveCopied(full + stage);
        find(token + tokens);
    }
}

template <typename T, int dim>
__device__ inline void startScores(float (&scores)[tokens / 2], std::uint32_t query, std::uint32_t keys)
{
#pragma unroll
    for (int step = 0; step < dim / 16; ++step) {
        const std::uint32_t at = unsigned(step / 4 * tokens * 128 + step % 4 * 32);
        multiplyGroup<T, false>(scores, operandAt(query + at), operandAt(keys + at), step > 0);
    }
    groupCommit();
}

template <typename T, int dim>
__device__ inline void startResults(float (&result)[dim / 2], const std::uint32_t (&weights)[tokens / 16][4],
                                    std::uint32_t values)
{
#pragma unroll
    for (int step = 0; step < tokens / 16; ++step)
        multiplyGroup<T, true>(result, weights[step], operandAt(values + unsigned(step) * 2048, tokens * 128),
                               true);
    groupCommit();
}

// A group's work over all tiles that its rows see. `first`: position of its first row.
template <typename T, int dim>
__device__ inline void attend(const PrefillArguments<T, T>& a, std::uint32_t query, std::uint32_t keys,
                              std::uint32_t values, Barriers& barriers, TokenRange range, int first,
                              GroupSoftmax& softmax, float (&result)[dim / 2])
{
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32 % 4;
    const int tiles = ceilDiv(least(range.end, first + 64) - range.begin, tokens);
    float scores[tokens / 2];
    std::uint32_t weights[tokens / 16][4];
    const auto weigh = [&](int tile, float(&shrink)[2]) {
        const int token = range.begin + tile * tokens;
        if (token + tokens - 1 > first + 16 * warp) // the tile on the diagonal
#pragma unroll
            for (int i = 0; i < tokens / 2; ++i) {
                const int position = first + 16 * warp + lane / 4 + i / 2 % 2 * 8;
                const int column = token + i / 4 * 8 + lane % 4 * 2 + i % 2;
                scores[i] = column <= position ? scores[i] : -INFINITY;
            }
        softmax.take(scores, a.scoreScale, shrink);
    };
    const auto pack = [&] {
#pragma unroll
        for (int step = 0; step < tokens / 16; ++step)
#pragma unroll
            for (int r = 0; r < 4; ++r)
                weights[step][r] = packed<T>(scores[8 * step + 2 * r], scores[8 * step + 2 * r + 1]);
    };
    const auto release = [&](std::uint64_t* barrier) {
        if (lane == 0)
            barrierArrive(barrier);
    };
    if (tiles <= 0)
        return;
    float shrink[2];
    barrierWait(&barriers.full[0][0], 0);
    fenceShared();
    groupBegin();
    startScores<T, dim>(scores, query, keys);
    groupWait<0>();
    pinned(scores);
    release(&barriers.empty[0][0]);
    weigh(0, shrink);
    pack();
    const auto meetValues = [&](int tile) {
        const int stage = tile % stages;
        barrierWait(&barriers.full[1][stage], tile / stages % 2);
        fenceShared();
        groupBegin();
        startResults<T, dim>(result, weights, values + unsigned(stage * tileBytes<dim>));
    };
    for (int tile = 0; tile + 1 < tiles; ++tile) {
        const int next = (tile + 1) % stages;
        barrierWait(&barriers.full[0][next], (tile + 1) / stages % 2);
        fenceShared();
        groupBegin();
        startScores<T, dim>(scores, query, keys + unsigned(next * tileBytes<dim>));
        meetValues(tile);
        groupWait<1>();
        pinned(scores);
        release(&barriers.empty[0][next]);
        weigh(tile + 1, shrink);
        groupWait<0>();
        pinned(result);
        release(&barriers.empty[1][tile % stages]);
#pragma unroll
        for (int i = 0; i < dim / 2; ++i)
            result[i] *= shrink[i / 2 % 2];
        pack();
    }
    meetValues(tiles - 1);
    groupWait<0>();
    pinned(result);
}

#endif

template <typename T, int dim>
__global__ void __launch_bounds__(threads, 1) prefillGroupKernel(PrefillArguments<T, T> a)
{
#if defined(__CUDA_ARCH_FEAT_SM90_ALL)
    __shared__ Barriers barriers;
    const std::uint32_t start = sharedAddress(dynamicShared());
    unsigned char* const query = dynamicShared() + ((start + 1023) / 1024 * 1024 - start);
    unsigned char* const keys = query + rows * dim * 2;
    unsigned char* const values = keys + stages * tileBytes<dim>;
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const int sequence = int(blockIdx.z);
    const int head = int(blockIdx.x) / a.parts.splits;
    const int split = int(blockIdx.x) % a.parts.splits;
    const int rowBlock = int(gridDim.y - 1 - blockIdx.y); // the longest first
    const int firstRow = rowBlock * rows;
    const int past = a.length[sequence] - a.queryTokens;
    const int there = least(rows, a.queryTokens - firstRow);
    const int groupsThere = ceilDiv(there, 64);
    const TokenRange range = splitRange(past + firstRow + there, tokens, a.parts.splits, split);
    const auto rowStart = [&](int row) {
        return ((std::int64_t(sequence) * a.queryTokens + firstRow + row) * a.queryHeads + head) * a.headDim;
    };
    if (threadIdx.x == 0)
        for (int which = 0; which < 2; ++which)
            for (int stage = 0; stage < stages; ++stage) {
                barrierInit(&barriers.full[which][stage], bringing / 2 * 32);
                barrierInit(&barriers.empty[which][stage], 4 * groupsThere);
            }
    __syncthreads();

    const int group = warp / 4;
    const bool whole = a.parts.splits == 1;
    const int part = (sequence * a.queryHeads + head) * int(gridDim.y) + rowBlock;
    if (warp >= multiplying) {
        giveRegisters<40>();
        const int kvHead = head / (a.queryHeads / a.pages.kvHeads);
        const int which = (warp - multiplying) / 2;
        bring<T, dim>(a, which == 0 ? a.keys : a.values, which == 0 ? keys : values, barriers.full[which],
                      barriers.empty[which], sequence, kvHead, range, warp % 2);
    } else {
        takeRegisters<232>();
        for (int at = int(threadIdx.x); at < rows * dim / 8; at += multiplying * 32) {
            const int row = at / (dim / 8);
            const int chunk = at % (dim / 8);
            *reinterpret_cast<uint4*>(query + placeOf(row, chunk)) = row < there && chunk * 8 < a.headDim
                ? *reinterpret_cast<const uint4*>(a.query + rowStart(row) + chunk * 8)
                : make_uint4(0, 0, 0, 0);
        }
        fenceShared();
        barrierOfSome(1, multiplying * 32);
        GroupSoftmax softmax;
        float result[dim / 2] = {};
        if (group < groupsThere)
            attend<T, dim>(a, sharedAddress(query) + unsigned(group * 64 * 128), sharedAddress(keys),
                           sharedAddress(values), barriers, range, past + firstRow + 64 * group, softmax,
                           result);
        softmax.addOverQuad();
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int row = 16 * warp + 8 * h + lane / 4;
            if (row >= there)
                continue;
            const float inverse = whole ? 1 / softmax.sum[h] : 1.0F;
            float* const to = a.parts.of(part, split) + row * a.parts.width;
#pragma unroll
            for (int j = 0; j < dim / 8; ++j) {
                const int column = 8 * j + lane % 4 * 2;
                if (column >= a.headDim)
                    continue;
                const float first = result[4 * j + 2 * h] * inverse;
                const float second = result[4 * j + 2 * h + 1] * inverse;
                if (whole)
                    *reinterpret_cast<std::uint32_t*>(a.output + rowStart(row) + column)
                        = packed<T>(first, second);
                else
                    *reinterpret_cast<float2*>(to + column) = make_float2(first, second);
            }
            if (!whole && lane % 4 == 0) {
                a.parts.largest(part, split)[row] = softmax.largest[h];
                a.parts.sum(part, split)[row] = softmax.sum[h];
            }
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
