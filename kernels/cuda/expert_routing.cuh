#pragma once

#include "kernels/cuda/element.cuh"
#include "kernels/cuda/index.h"

#include <cmath>
#include <cstdint>

// Which experts a token goes to, the order in which their products are done, and the sum of their results.
namespace headroom::kernels {
namespace {

constexpr int mostExperts = 1024;
constexpr int mostChoices = 32;
constexpr int warps = 8;

// The best of a token's scores again and again, by one warp. Weights are the softmax over the chosen.
__device__ inline void chooseExperts(float* scores, int* choice, float* weight, int experts, int choices)
{
    const int lane = int(threadIdx.x) % 32;
    float first = 0;
    float all = 0;
    float mine = 0; // lane i keeps the weight of choice i
    for (int c = 0; c < choices; ++c) {
        float best = -INFINITY;
        int index = experts;
        for (int e = lane; e < experts; e += 32)
            if (scores[e] > best) {
                best = scores[e];
                index = e;
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
        if (lane == 0) {
            choice[c] = index;
            scores[index] = -INFINITY; // chosen once
        }
        __syncwarp();
    }
    if (lane < choices)
        weight[lane] = mine / all;
}

// One block a token: scores by its warps, the choice by the first. The skew is a bias on the scores that
// routing tests set.
template <typename T>
__global__ void __launch_bounds__(warps * 32)
    routerKernel(const T* __restrict__ input, const float* __restrict__ router, int* __restrict__ choice,
                 float* __restrict__ weight, int depth, int experts, int choices, float skew)
{
    __shared__ float scores[mostExperts];
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    const std::int64_t token = blockIdx.x;
    for (int e = warp; e < experts; e += warps) {
        float sum = 0;
        for (int i = lane; i < depth; i += 32)
            sum += toFloat(input[token * depth + i]) * router[std::int64_t(e) * depth + i];
        sum = sumOfWarp(sum);
        if (lane == 0)
            scores[e] = sum - skew * logf(float(e) + 1);
    }
    __syncthreads();
    if (warp == 0)
        chooseExperts(scores, choice + token * choices, weight + token * choices, experts, choices);
}

// Many tokens: scores of 64 tokens and 32 experts a block, in 32 bit, so that each router row is read once
// for 64 tokens.
constexpr int scoreTokens = 64;
constexpr int scoreExperts = 32;
constexpr int scoreDepth = 32;
template <typename T>
__global__ void __launch_bounds__(256)
    scoreKernel(const T* __restrict__ input, const float* __restrict__ router, float* __restrict__ scores,
                std::int64_t tokens, int depth, int experts, float skew)
{
    __shared__ float left[scoreDepth][scoreTokens + 1];
    __shared__ float right[scoreDepth][scoreExperts + 1];
    const int thread = int(threadIdx.x);
    const std::int64_t firstToken = std::int64_t(blockIdx.x) * scoreTokens;
    const int firstExpert = int(blockIdx.y) * scoreExperts;
    float sum[4][2] = {}; // tokens thread % 16 + 16 i, experts thread / 16 + 16 j
    for (int base = 0; base < depth; base += scoreDepth) {
        for (int at = thread; at < scoreTokens * scoreDepth; at += 256) {
            const std::int64_t token = firstToken + at / scoreDepth;
            const int i = base + at % scoreDepth;
            left[at % scoreDepth][at / scoreDepth]
                = token < tokens && i < depth ? toFloat(input[token * depth + i]) : 0.0F;
        }
        for (int at = thread; at < scoreExperts * scoreDepth; at += 256) {
            const int expert = firstExpert + at / scoreDepth;
            const int i = base + at % scoreDepth;
            right[at % scoreDepth][at / scoreDepth]
                = expert < experts && i < depth ? router[std::int64_t(expert) * depth + i] : 0.0F;
        }
        __syncthreads();
#pragma unroll 8
        for (int i = 0; i < scoreDepth; ++i)
#pragma unroll
            for (int t = 0; t < 4; ++t)
#pragma unroll
                for (int e = 0; e < 2; ++e)
                    sum[t][e] += left[i][thread % 16 + 16 * t] * right[i][thread / 16 + 16 * e];
        __syncthreads();
    }
#pragma unroll
    for (int t = 0; t < 4; ++t)
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const std::int64_t token = firstToken + thread % 16 + 16 * t;
            const int expert = firstExpert + thread / 16 + 16 * e;
            if (token < tokens && expert < experts)
                scores[token * experts + expert] = sum[t][e] - skew * logf(float(expert) + 1);
        }
}

// One warp a token.
__global__ void __launch_bounds__(warps * 32)
    choiceKernel(float* __restrict__ scores, int* __restrict__ choice, float* __restrict__ weight,
                 std::int64_t tokens, int experts, int choices)
{
    const std::int64_t token = std::int64_t(blockIdx.x) * warps + threadIdx.x / 32;
    if (token < tokens)
        chooseExperts(scores + token * experts, choice + token * choices, weight + token * choices, experts,
                      choices);
}

// Counting sort by one block: places within an expert come in any order, which no result depends on.
__global__ void __launch_bounds__(1024)
    sortKernel(const int* __restrict__ choice, int* __restrict__ order, int* __restrict__ place,
               int* __restrict__ offsets, int* __restrict__ starts, int slots, int experts, int tileRows)
{
    __shared__ int count[mostExperts];
    __shared__ int before[2][mostExperts]; // running sums of counts and of row tiles
    __shared__ int next[mostExperts];
    const int e = int(threadIdx.x);
    count[e] = 0;
    __syncthreads();
    for (int slot = e; slot < slots; slot += 1024)
        atomicAdd(&count[choice[slot]], 1);
    __syncthreads();
    before[0][e] = count[e];
    before[1][e] = ceilDiv(count[e], tileRows);
    for (int reach = 1; reach < mostExperts; reach *= 2) { // Hillis and Steele: inclusive sums
        __syncthreads();
        const int rows = e >= reach ? before[0][e - reach] : 0;
        const int tiles = e >= reach ? before[1][e - reach] : 0;
        __syncthreads();
        before[0][e] += rows;
        before[1][e] += tiles;
    }
    next[e] = before[0][e] - count[e];
    if (e < experts) {
        offsets[e + 1] = before[0][e];
        starts[e + 1] = before[1][e];
    }
    if (e == 0) {
        offsets[0] = 0;
        starts[0] = 0;
    }
    __syncthreads();
    for (int slot = e; slot < slots; slot += 1024) {
        const int at = atomicAdd(&next[choice[slot]], 1);
        order[at] = slot;
        place[slot] = at;
    }
}

// `size` neighbouring columns a thread: 16 bytes, or one where the width does not divide by eight.
template <typename T, int size>
__global__ void combineKernel(const T* __restrict__ outer, const int* __restrict__ place,
                              const float* __restrict__ weight, T* __restrict__ output, int choices,
                              int width)
{
    const std::int64_t token = blockIdx.x;
    for (int column = int(threadIdx.x) * size; column < width; column += int(blockDim.x) * size) {
        float sum[size] = {};
        for (int c = 0; c < choices; ++c) {
            const std::int64_t slot = token * choices + c;
            const T* const from = outer + std::int64_t(place[slot]) * width + column;
            if constexpr (size == Pack<T>::size) {
                const Pack<T> pack = loaded(from);
#pragma unroll
                for (int i = 0; i < size; ++i)
                    sum[i] += weight[slot] * toFloat(pack.at[i]);
            } else {
                sum[0] += weight[slot] * toFloat(*from);
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
