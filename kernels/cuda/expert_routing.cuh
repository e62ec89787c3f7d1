#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/index.h"
#include "kernels/cuda/tile.cuh"

#include <cmath>
#include <cstdint>

// Which experts a token goes to, the order in which their products are done, and the sum of their results.
namespace headroom::kernels {
namespace {

constexpr int mostExperts = 1024;
constexpr int mostChoices = 32;
constexpr int warps = 8;

// The best of a token's scores again and again, by one warp whose lanes hold them: lane + 32 i. Weights are
// the softmax over the chosen.
template <int perLane>
__device__ inline void chooseAmong(const float* scores, int* choice, float* weight, int experts, int choices)
{
    const int lane = int(threadIdx.x) % 32;
    float held[perLane];
#pragma unroll
    for (int i = 0; i < perLane; ++i)
        held[i] = lane + 32 * i < experts ? __ldcg(scores + lane + 32 * i) : -INFINITY;
    float first = 0;
    float all = 0;
    float mine = 0; // lane i keeps the weight of choice i
    for (int c = 0; c < choices; ++c) {
        float best = -INFINITY;
        int index = mostExperts;
#pragma unroll
        for (int i = 0; i < perLane; ++i)
            if (held[i] > best) {
                best = held[i];
                index = lane + 32 * i;
            }
        for (int offset = 16; offset > 0; offset /= 2) {
            const float other = __shfl_xor_sync(0xFFFFFFFFU, best, offset);
            const int otherIndex = __shfl_xor_sync(0xFFFFFFFFU, index, offset);
            if (other > best || (other == best && otherIndex < index)) {
                best = other;
                index = otherIndex;
            }
        }
        if (c == 0)
            first = best;
        const float share = __expf(best - first);
        all += share;
        if (lane == c)
            mine = share;
        if (lane == 0)
            choice[c] = index;
#pragma unroll
        for (int i = 0; i < perLane; ++i)
            if (lane + 32 * i == index)
                held[i] = -INFINITY; // chosen once
    }
    if (lane < choices)
        weight[lane] = mine / all;
}
__device__ inline void chooseExperts(const float* scores, int* choice, float* weight, int experts,
                                     int choices)
{
    if (experts <= 64)
        chooseAmong<2>(scores, choice, weight, experts, choices);
    else if (experts <= 256)
        chooseAmong<8>(scores, choice, weight, experts, choices);
    else
        chooseAmong<mostExperts / 32>(scores, choice, weight, experts, choices);
}

// Sums over the threads before this one, of a block of whole warps. `totals` holds 32 numbers.
__device__ inline int sumBefore(int value, int* totals)
{
    const int lane = int(threadIdx.x) % 32;
    int sum = value;
    for (int reach = 1; reach < 32; reach *= 2) {
        const int other = __shfl_up_sync(0xFFFFFFFFU, sum, unsigned(reach));
        sum += lane >= reach ? other : 0;
    }
    if (lane == 31)
        totals[threadIdx.x / 32] = sum;
    __syncthreads();
    int before = 0;
    for (int w = 0; w < int(threadIdx.x) / 32; ++w)
        before += totals[w];
    return before + sum - value;
}

// Where the sort leaves what it found.
struct SortedSlots {
    int* order;   // sorted place -> slot
    int* place;   // slot -> sorted place
    int* offsets; // expert -> first sorted place; one more entry
    int* starts;  // expert -> first row tile; one more entry
};

// Counting sort by one block: places within an expert come in any order, which no result depends on.
__device__ inline void sortSlots(const int* choice, const SortedSlots& to, int slots, int experts,
                                 int tileRows)
{
    __shared__ int next[mostExperts]; // counts, then places
    __shared__ int totals[2][32];
    const int thread = int(threadIdx.x);
    const int threads = int(blockDim.x);
    for (int e = thread; e < mostExperts; e += threads)
        next[e] = 0;
    __syncthreads();
#pragma unroll 4
    for (int slot = thread; slot < slots; slot += threads)
        atomicAdd(&next[__ldcg(choice + slot)], 1);
    __syncthreads();
    const int each = ceilDiv(experts, threads); // neighbours of a thread
    int rows = 0;
    int tiles = 0;
    for (int e = thread * each; e < least(experts, (thread + 1) * each); ++e) {
        rows += next[e];
        tiles += ceilDiv(next[e], tileRows);
    }
    rows = sumBefore(rows, totals[0]);
    tiles = sumBefore(tiles, totals[1]);
    for (int e = thread * each; e < least(experts, (thread + 1) * each); ++e) {
        const int count = next[e];
        to.offsets[e] = rows;
        to.starts[e] = tiles;
        next[e] = rows;
        rows += count;
        tiles += ceilDiv(count, tileRows);
        if (e == experts - 1) {
            to.offsets[experts] = rows;
            to.starts[experts] = tiles;
        }
    }
    __syncthreads();
#pragma unroll 4
    for (int slot = thread; slot < slots; slot += threads) {
        const int at = atomicAdd(&next[__ldcg(choice + slot)], 1);
        to.order[at] = slot;
        to.place[slot] = at;
    }
}

// expertOf (index.h) by a warp, whose lanes look at up to 32 experts at once.
__device__ inline int expertOfWarp(const int* starts, int experts, int tile)
{
    const int lane = int(threadIdx.x) % 32;
    const int each = ceilDiv(experts, 32); // at most 32
    const int segment
        = __popc(__ballot_sync(0xFFFFFFFFU, lane * each < experts && starts[lane * each] <= tile)) - 1;
    if (each == 1)
        return segment;
    const int expert = segment * each + lane;
    const bool before = lane < each && expert < experts && starts[expert] <= tile;
    return segment * each + __popc(__ballot_sync(0xFFFFFFFFU, before)) - 1;
}

template <typename T>
struct RoutingArguments {
    const T* input;      // token x depth
    const float* router; // expert x depth
    float* scores;       // token x expert
    int* choice;         // slot -> expert
    float* weight;       // slot -> weight
    SortedSlots sorted;
    int* counters; // one, and one for each block of tokens; zero between launches
    int tokens;
    int depth;
    int experts;
    int choices;
    int tileRows; // 0: a launch of its own sorts
    float skew;   // a bias on the scores that routing tests set
};

// Scores of the tokens of a warp with the eight experts from `firstExpert`, over the elements from `first` on
// at a distance of `stride`, eight side by side; in every lane.
constexpr int scoreExperts = 8;
template <typename T, int tokens>
__device__ inline void scoresOf(float (&sums)[tokens][scoreExperts], const RoutingArguments<T>& a,
                                int firstToken, int firstExpert, int first, int stride)
{
    constexpr int size = Pack<T>::size;
    const float* const router = a.router + std::int64_t(firstExpert) * a.depth;
    const T* const input = a.input + std::int64_t(firstToken) * a.depth;
    int routerAt[scoreExperts]; // beyond the last, the last again: nobody asks for what comes of it
#pragma unroll
    for (int e = 0; e < scoreExperts; ++e)
        routerAt[e] = least(e, a.experts - 1 - firstExpert) * a.depth;
    int inputAt[tokens];
#pragma unroll
    for (int t = 0; t < tokens; ++t)
        inputAt[t] = least(t, a.tokens - 1 - firstToken) * a.depth;
    if (a.depth % size != 0) {
        for (int i = first / size; i < a.depth; i += stride / size)
#pragma unroll
            for (int t = 0; t < tokens; ++t)
#pragma unroll
                for (int e = 0; e < scoreExperts; ++e)
                    sums[t][e] += toFloat(input[inputAt[t] + i]) * router[routerAt[e] + i];
    } else {
        for (int i = first; i < a.depth; i += stride) {
            float x[tokens][size];
#pragma unroll
            for (int t = 0; t < tokens; ++t) {
                const Pack<T> pack = loaded(input + inputAt[t] + i);
#pragma unroll
                for (int j = 0; j < size; ++j)
                    x[t][j] = toFloat(pack.at[j]);
            }
#pragma unroll
            for (int e = 0; e < scoreExperts; ++e)
#pragma unroll
                for (int p = 0; p < size; p += 4) {
                    const Pack<float> weights = loaded(router + routerAt[e] + i + p);
#pragma unroll
                    for (int t = 0; t < tokens; ++t)
#pragma unroll
                        for (int j = 0; j < 4; ++j)
                            sums[t][e] += x[t][p + j] * weights.at[j];
                }
        }
    }
#pragma unroll
    for (int t = 0; t < tokens; ++t)
#pragma unroll
        for (int e = 0; e < scoreExperts; ++e)
            sums[t][e] = sumOfWarp(sums[t][e]);
}

// Scores of some tokens and eight experts by a block. Few tokens: one of them, its depth shared out among the
// warps. Many: four for each warp. The block that scores a token last chooses its experts; the one that
// chooses last sorts, where there are few slots.
constexpr int manyTokens = 4;
// Blocks a multiprocessor shall hold: two, where the compiler does not spill to get there.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 1000
constexpr int routerBlocks = 1;
#else
constexpr int routerBlocks = 2;
#endif
template <typename T, bool many>
__global__ void __launch_bounds__(warps * 32, many ? routerBlocks : 2) routerKernel(RoutingArguments<T> a)
{
    letNextStart();
    constexpr int ofWarp = many ? manyTokens : 1;
    constexpr int ofBlock = many ? manyTokens * warps : 1;
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const int firstToken = int(blockIdx.x) * ofBlock + (many ? warp * ofWarp : 0);
    const int firstExpert = int(blockIdx.y) * scoreExperts;
    constexpr int size = Pack<T>::size;
    float sums[ofWarp][scoreExperts] = {};
    scoresOf<T, ofWarp>(sums, a, firstToken, firstExpert, (many ? lane : int(threadIdx.x)) * size,
                        (many ? 32 : warps * 32) * size);
    if constexpr (!many) {
        __shared__ float shared[warps][scoreExperts];
#pragma unroll
        for (int e = 0; e < scoreExperts; ++e)
            if (lane == e)
                shared[warp][e] = sums[0][e];
        __syncthreads();
        if (warp == 0)
#pragma unroll
            for (int e = 0; e < scoreExperts; ++e) {
                sums[0][e] = 0;
#pragma unroll
                for (int w = 0; w < warps; ++w)
                    sums[0][e] += shared[w][e];
            }
    }
    if (many || warp == 0)
#pragma unroll
        for (int t = 0; t < ofWarp; ++t)
#pragma unroll
            for (int e = 0; e < scoreExperts; ++e)
                if (lane == e && firstToken + t < a.tokens && firstExpert + e < a.experts)
                    a.scores[std::int64_t(firstToken + t) * a.experts + firstExpert + e]
                        = sums[t][e] - a.skew * logf(float(firstExpert + e) + 1);
    if (!lastBlockOf(a.counters + 1 + blockIdx.x, int(gridDim.y)))
        return;
    if (many || warp == 0)
        for (int t = 0; t < ofWarp; ++t) {
            const std::int64_t token = firstToken + t;
            if (token < a.tokens)
                chooseExperts(a.scores + token * a.experts, a.choice + token * a.choices,
                              a.weight + token * a.choices, a.experts, a.choices);
        }
    if (a.tileRows > 0 && lastBlockOf(a.counters, int(gridDim.x)))
        sortSlots(a.choice, a.sorted, a.tokens * a.choices, a.experts, a.tileRows);
}

// Many slots: more threads than a block of the router has.
__global__ void __launch_bounds__(1024)
    sortKernel(const int* __restrict__ choice, SortedSlots sorted, int slots, int experts, int tileRows)
{
    letNextStart();
    awaitPrevious();
    sortSlots(choice, sorted, slots, experts, tileRows);
}

// `size` neighbouring columns a thread: 16 bytes, or one where the width does not divide by eight.
template <typename T, int size>
__global__ void combineKernel(const T* __restrict__ outer, const int* __restrict__ place,
                              const float* __restrict__ weight, T* __restrict__ output, int choices,
                              int width)
{
    awaitPrevious();
    __shared__ int places[mostChoices];
    __shared__ float weights[mostChoices];
    const std::int64_t token = blockIdx.x;
    if (int(threadIdx.x) < choices) {
        places[threadIdx.x] = place[token * choices + threadIdx.x];
        weights[threadIdx.x] = weight[token * choices + threadIdx.x];
    }
    __syncthreads();
    for (int column = int(threadIdx.x) * size; column < width; column += int(blockDim.x) * size) {
        float sum[size] = {};
#pragma unroll 4
        for (int c = 0; c < choices; ++c) {
            const T* const from = outer + std::int64_t(places[c]) * width + column;
            if constexpr (size == Pack<T>::size) {
                const Pack<T> pack = loaded(from);
#pragma unroll
                for (int i = 0; i < size; ++i)
                    sum[i] += weights[c] * toFloat(pack.at[i]);
            } else {
                sum[0] += weights[c] * toFloat(*from);
            }
        }
        T* const to = output + token * width + column;
        if constexpr (size == Pack<T>::size) {
            Pack<T> pack;
#pragma unroll
            for (int i = 0; i < size; ++i)
                pack.at[i] = fromFloat<T>(sum[i]);
            stored(to, pack);
        } else {
            *to = fromFloat<T>(sum[0]);
        }
    }
}

} // namespace
} // namespace headroom::kernels
