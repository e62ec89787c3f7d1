#include "kernels/cuda/element.cuh"
#include "kernels/cuda/index.h"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/stream_kernels.h"

#include <limits>

namespace headroom::kernels {

namespace {

struct CacheView {
    const int* table;
    int kvHeads;
    int pageTokens;
    __device__ std::size_t row(int head, std::int64_t token) const
    {
        return (std::size_t(table[token / pageTokens]) * kvHeads + head) * pageTokens + token % pageTokens;
    }
};

// One warp a head: rotates q in place of the output, or k into the cache; copies v into the cache. 8-bit
// caches get a scale of their own per token and head.
template <typename T, typename K>
__global__ void
ropeKernel(const T* __restrict__ query, const T* __restrict__ both, const float* __restrict__ angles,
           T* __restrict__ out, K* __restrict__ keys, float* __restrict__ keyScales, K* __restrict__ values,
           float* __restrict__ valueScales, CacheView cache, int queryHeads, int headDim, std::int64_t past)
{
    const int head = int(blockIdx.y) * int(blockDim.y) + int(threadIdx.y);
    const std::int64_t token = blockIdx.x;
    const int lane = int(threadIdx.x);
    const int half = headDim / 2;
    const float* const angle = angles + std::size_t(past + token) * headDim;
    if (head < queryHeads) {
        const std::size_t from = (std::size_t(token) * queryHeads + head) * headDim;
        for (int i = lane; i < half; i += 32) {
            const float a = toFloat(query[from + i]);
            const float b = toFloat(query[from + half + i]);
            const float cosine = angle[2 * i];
            const float sine = angle[2 * i + 1];
            out[from + i] = fromFloat<T>(a * cosine - b * sine);
            out[from + half + i] = fromFloat<T>(b * cosine + a * sine);
        }
        return;
    }
    const int kvHead = (head - queryHeads) % cache.kvHeads;
    const bool isKey = head - queryHeads < cache.kvHeads;
    if (head >= queryHeads + 2 * cache.kvHeads)
        return;
    const std::size_t width = std::size_t(cache.kvHeads) * headDim;
    const T* const from
        = both + std::size_t(token) * 2 * width + (isKey ? 0 : width) + std::size_t(kvHead) * headDim;
    const std::size_t row = cache.row(kvHead, past + token);
    K* const to = (isKey ? keys : values) + row * headDim;
    const auto rotated = [&](int i, float& a, float& b) {
        a = toFloat(from[i]);
        b = toFloat(from[half + i]);
        if (!isKey)
            return;
        const float x = a * angle[2 * i] - b * angle[2 * i + 1];
        b = b * angle[2 * i] + a * angle[2 * i + 1];
        a = x;
    };
    float inverse = 1;
    if constexpr (sizeof(K) == 1) {
        float largest = 0;
        for (int i = lane; i < half; i += 32) {
            float a = 0;
            float b = 0;
            rotated(i, a, b);
            largest = fmaxf(largest, fmaxf(fabsf(a), fabsf(b)));
        }
        largest = largestOfWarp(largest);
        const float top = std::is_same_v<K, std::int8_t> ? 127.0F : 448.0F;
        const float scale = largest > 0 ? largest / top : 1.0F;
        inverse = 1 / scale;
        if (lane == 0)
            (isKey ? keyScales : valueScales)[row] = scale;
    }
    for (int i = lane; i < half; i += 32) {
        float a = 0;
        float b = 0;
        rotated(i, a, b);
        to[i] = fromFloat<K>(a * inverse);
        to[half + i] = fromFloat<K>(b * inverse);
    }
}

// Eight neighbours of one half of a head and the eight they are rotated with, by a thread: words of 16 bytes,
// or of 8 of a narrow cache. The threads of a head, a power of two of them, are neighbours within a warp.
template <typename T, typename K>
struct RopeArguments {
    const T* query;
    const T* both;
    const float* angles;
    T* out;
    K* keys;
    float* keyScales;
    K* values;
    float* valueScales;
    CacheView cache;
    int queryHeads;
    int headDim;
    std::int64_t past;
    int items;    // tokens x (query, key and value heads)
    int lanesLog; // threads of a head: 1 << lanesLog
};

template <typename K>
struct alignas(8 * sizeof(K)) EightOf {
    K at[8];
};

template <typename K>
__device__ inline void storedEight(K* to, const float (&values)[8], float inverse)
{
    EightOf<K> out;
#pragma unroll
    for (int i = 0; i < 8; ++i)
        out.at[i] = fromFloat<K>(values[i] * inverse);
    *reinterpret_cast<EightOf<K>*>(to) = out;
}

constexpr int ropeThreads = 256;
template <typename T, typename K>
__global__ void __launch_bounds__(ropeThreads) ropeWideKernel(RopeArguments<T, K> a)
{
    // Blocks are whole heads: two numbers of 32 bits count what a product of both might not.
    const int item = int(blockIdx.x) * (ropeThreads >> a.lanesLog) + (int(threadIdx.x) >> a.lanesLog);
    const int piece = int(threadIdx.x) & ((1 << a.lanesLog) - 1);
    const int half = a.headDim / 2;
    const int heads = a.queryHeads + 2 * a.cache.kvHeads;
    const bool mine = item < a.items && piece * 8 < half;
    const int token = mine ? item / heads : 0;
    const int head = mine ? item - token * heads : 0;
    const bool isQuery = head < a.queryHeads;
    const bool isValue = head >= a.queryHeads + a.cache.kvHeads;
    const int kvHead = isQuery ? 0 : (head - a.queryHeads) % a.cache.kvHeads;
    const std::int64_t kvWidth = std::int64_t(a.cache.kvHeads) * a.headDim;
    const T* const from = isQuery
        ? a.query + (std::int64_t(token) * a.queryHeads + head) * a.headDim
        : a.both + token * 2 * kvWidth + (isValue ? kvWidth : 0) + std::int64_t(kvHead) * a.headDim;
    float low[8] = {};
    float high[8] = {};
    if (mine) {
        const Pack<T> first = streamed(from + piece * 8);
        const Pack<T> second = streamed(from + half + piece * 8);
        const float* const angle = a.angles + (a.past + token) * a.headDim + piece * 16;
#pragma unroll
        for (int i = 0; i < 8; i += 2) {
            const Pack<float> turn = isValue ? Pack<float>{{1, 0, 1, 0}} : loaded(angle + 2 * i);
#pragma unroll
            for (int j = 0; j < 2; ++j) {
                const float x = toFloat(first.at[i + j]);
                const float y = toFloat(second.at[i + j]);
                low[i + j] = x * turn.at[2 * j] - y * turn.at[2 * j + 1];
                high[i + j] = y * turn.at[2 * j] + x * turn.at[2 * j + 1];
            }
        }
    }
    const std::int64_t row = mine && !isQuery ? std::int64_t(a.cache.row(kvHead, a.past + token)) : 0;
    float inverse = 1;
    if constexpr (sizeof(K) == 1) {
        float largest = 0;
#pragma unroll
        for (int i = 0; i < 8; ++i)
            largest = fmaxf(largest, fmaxf(fabsf(low[i]), fabsf(high[i])));
        for (int offset = (1 << a.lanesLog) / 2; offset > 0; offset /= 2)
            largest = fmaxf(largest, __shfl_xor_sync(0xFFFFFFFFU, largest, offset));
        const float top = std::is_same_v<K, std::int8_t> ? 127.0F : 448.0F;
        const float scale = largest > 0 ? largest / top : 1.0F;
        inverse = 1 / scale;
        if (mine && !isQuery && piece == 0)
            (isValue ? a.valueScales : a.keyScales)[row] = scale;
    }
    if (!mine)
        return;
    if (isQuery) {
        T* const to = a.out + (std::int64_t(token) * a.queryHeads + head) * a.headDim + piece * 8;
        storedEight<T>(to, low, 1);
        storedEight<T>(to + half, high, 1);
        return;
    }
    K* const to = (isValue ? a.values : a.keys) + row * a.headDim + piece * 8;
    storedEight<K>(to, low, inverse);
    storedEight<K>(to + half, high, inverse);
}

bool ropePlain(const Task& task)
{
    const std::int64_t items = task.m * (task.queryHeads + 2 * task.kvHeads);
    return task.variant ? task.variant->plain
                        : task.headDim % 16 != 0 || task.headDim > 512
            || items > std::numeric_limits<std::int32_t>::max() / 2;
}

template <typename T, typename K>
void rope(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const auto heads = unsigned(task.queryHeads + 2 * task.kvHeads);
    const CacheView cache{o.table.as<int>(), task.kvHeads, task.pageTokens};
    if (ropePlain(task)) {
        constexpr unsigned warps = 4;
        launchKernel(ropeKernel<T, K>, dim3(unsigned(task.m), (heads + warps - 1) / warps), dim3(32, warps),
                     0, stream, o.input.bytes.as<T>(), o.second.bytes.as<T>(), o.angles.as<float>(),
                     o.output.bytes.as<T>(), o.keys.bytes.as<K>(), o.keys.scales.as<float>(),
                     o.values.bytes.as<K>(), o.values.scales.as<float>(), cache, task.queryHeads,
                     task.headDim, task.past);
        return;
    }
    RopeArguments<T, K> a{o.input.bytes.as<T>(),
                          o.second.bytes.as<T>(),
                          o.angles.as<float>(),
                          o.output.bytes.as<T>(),
                          o.keys.bytes.as<K>(),
                          o.keys.scales.as<float>(),
                          o.values.bytes.as<K>(),
                          o.values.scales.as<float>(),
                          cache,
                          task.queryHeads,
                          task.headDim,
                          task.past,
                          int(task.m * std::int64_t(heads)),
                          0};
    while ((16 << a.lanesLog) < task.headDim)
        ++a.lanesLog;
    launchKernel(ropeWideKernel<T, K>, dim3(unsigned(ceilDiv(a.items, ropeThreads >> a.lanesLog))),
                 dim3(ropeThreads), 0, stream, a);
}

} // namespace

Variant ropeVariant(const Task& task) { return {.plain = ropePlain(task)}; }

void launchRope(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const bool half = task.activations == DType::Fp16;
    switch (task.kv) {
    case DType::Fp8:
        half ? rope<__half, __nv_fp8_e4m3>(task, o, stream)
             : rope<__nv_bfloat16, __nv_fp8_e4m3>(task, o, stream);
        break;
    case DType::Int8:
        half ? rope<__half, std::int8_t>(task, o, stream) : rope<__nv_bfloat16, std::int8_t>(task, o, stream);
        break;
    default:
        half ? rope<__half, __half>(task, o, stream) : rope<__nv_bfloat16, __nv_bfloat16>(task, o, stream);
        break;
    }
}

} // namespace headroom::kernels
