#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/stream_kernels.h"

#include <algorithm>

namespace headroom::kernels {

namespace {

constexpr float normEpsilon = 1e-5F;

// One row a block, held in registers between the sum of squares and the scaling: it is read once. A row of up
// to `threads x packs x Pack<T>::size` elements fits.
template <typename T, int packs>
__global__ void __launch_bounds__(1024)
    normKernel(const T* __restrict__ x, const T* __restrict__ residual, const T* __restrict__ weight,
               T* __restrict__ out, T* __restrict__ sum, int width)
{
    __shared__ float shared[32];
    constexpr int size = Pack<T>::size;
    const std::size_t row = std::size_t(blockIdx.x) * width;
    float held[packs][size];
    float square = 0;
#pragma unroll
    for (int p = 0; p < packs; ++p) {
        const int at = (p * int(blockDim.x) + int(threadIdx.x)) * size;
        if (at >= width)
            continue;
        const Pack<T> a = loaded(x + row + at);
        const Pack<T> b = loaded(residual + row + at);
        Pack<T> both;
#pragma unroll
        for (int i = 0; i < size; ++i) {
            const float value = toFloat(a.at[i]) + toFloat(b.at[i]);
            both.at[i] = fromFloat<T>(value);
            held[p][i] = value;
            square += value * value;
        }
        stored(sum + row + at, both);
    }
    const float scale = rsqrtf(sumOfBlock(square, shared) / float(width) + normEpsilon);
#pragma unroll
    for (int p = 0; p < packs; ++p) {
        const int at = (p * int(blockDim.x) + int(threadIdx.x)) * size;
        if (at >= width)
            continue;
        const Pack<T> w = loaded(weight + at);
        Pack<T> scaled;
#pragma unroll
        for (int i = 0; i < size; ++i)
            scaled.at[i] = fromFloat<T>(held[p][i] * scale * toFloat(w.at[i]));
        stored(out + row + at, scaled);
    }
}

// Any width: two passes, the second from cache. For widths that 16-byte accesses do not divide.
template <typename T>
__global__ void normKernelOdd(const T* __restrict__ x, const T* __restrict__ residual,
                              const T* __restrict__ weight, T* __restrict__ out, T* __restrict__ sum,
                              int width)
{
    __shared__ float shared[32];
    const std::size_t row = std::size_t(blockIdx.x) * width;
    float square = 0;
    for (int i = int(threadIdx.x); i < width; i += int(blockDim.x)) {
        const float value = toFloat(x[row + i]) + toFloat(residual[row + i]);
        sum[row + i] = fromFloat<T>(value);
        square += value * value;
    }
    const float scale = rsqrtf(sumOfBlock(square, shared) / float(width) + normEpsilon);
    for (int i = int(threadIdx.x); i < width; i += int(blockDim.x)) {
        const float value = toFloat(x[row + i]) + toFloat(residual[row + i]);
        out[row + i] = fromFloat<T>(value * scale * toFloat(weight[i]));
    }
}

template <typename T>
void norm(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const int width = int(task.k);
    const auto rows = unsigned(task.m);
    const auto* const x = o.input.bytes.as<T>();
    const auto* const residual = o.second.bytes.as<T>();
    const auto* const weight = o.weights.bytes.as<T>();
    auto* const out = o.output.bytes.as<T>();
    auto* const sum = o.secondOutput.bytes.as<T>();
    constexpr int size = Pack<T>::size;
    const int packs = width / size;
    if (width % size != 0 || packs > 4 * 1024) {
        launchKernel(normKernelOdd<T>, dim3(rows), dim3(256), 0, stream, x, residual, weight, out, sum,
                     width);
        return;
    }
    const int threads = std::clamp((packs + 31) / 32 * 32, 32, packs > 512 ? 1024 : 512);
    if (packs <= threads)
        launchKernel(normKernel<T, 1>, dim3(rows), dim3(unsigned(threads)), 0, stream, x, residual, weight,
                     out, sum, width);
    else if (packs <= 2 * threads)
        launchKernel(normKernel<T, 2>, dim3(rows), dim3(unsigned(threads)), 0, stream, x, residual, weight,
                     out, sum, width);
    else
        launchKernel(normKernel<T, 4>, dim3(rows), dim3(unsigned(threads)), 0, stream, x, residual, weight,
                     out, sum, width);
}

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

template <typename T, typename K>
void rope(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    constexpr unsigned warps = 4;
    const auto heads = unsigned(task.queryHeads + 2 * task.kvHeads);
    const dim3 grid(unsigned(task.m), (heads + warps - 1) / warps);
    const CacheView cache{o.table.as<int>(), task.kvHeads, task.pageTokens};
    launchKernel(ropeKernel<T, K>, dim3(grid), dim3(dim3(32, warps)), 0, stream, o.input.bytes.as<T>(),
                 o.second.bytes.as<T>(), o.angles.as<float>(), o.output.bytes.as<T>(), o.keys.bytes.as<K>(),
                 o.keys.scales.as<float>(), o.values.bytes.as<K>(), o.values.scales.as<float>(), cache,
                 task.queryHeads, task.headDim, task.past);
}

__device__ inline float silu(float x) { return x / (1 + __expf(-x)); }
__device__ inline float gelu(float x) { return 0.5F * x * (1 + erff(x * 0.70710678F)); }

// x holds gate and up side by side (gated) or one branch.
template <typename T, bool gated>
__global__ void activationKernel(const T* __restrict__ x, T* __restrict__ out, std::size_t rows, int width)
{
    constexpr int size = Pack<T>::size;
    const int packs = width / size;
    const std::size_t all = rows * std::size_t(packs);
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < all; i += stride) {
        const std::size_t row = i / packs;
        const std::size_t column = i % packs * size;
        const T* const from = x + row * width * (gated ? 2 : 1) + column;
        const Pack<T> a = streamed(from);
        Pack<T> result;
        if constexpr (gated) {
            const Pack<T> b = streamed(from + width);
#pragma unroll
            for (int j = 0; j < size; ++j)
                result.at[j] = fromFloat<T>(silu(toFloat(a.at[j])) * toFloat(b.at[j]));
        } else {
#pragma unroll
            for (int j = 0; j < size; ++j)
                result.at[j] = fromFloat<T>(gelu(toFloat(a.at[j])));
        }
        stored(out + row * width + column, result);
    }
}

template <typename T, bool gated>
__global__ void activationKernelOdd(const T* __restrict__ x, T* __restrict__ out, std::size_t rows, int width)
{
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < rows * width; i += stride) {
        const std::size_t from = i / width * width * (gated ? 2 : 1) + i % width;
        const float a = toFloat(x[from]);
        out[i] = fromFloat<T>(gated ? silu(a) * toFloat(x[from + width]) : gelu(a));
    }
}

template <typename T, bool gated>
void activation(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const auto* const x = o.input.bytes.as<T>();
    auto* const out = o.output.bytes.as<T>();
    const auto rows = std::size_t(task.m);
    const int width = int(task.n);
    constexpr unsigned threads = 256;
    if (width % Pack<T>::size != 0) {
        const auto blocks
            = unsigned(std::min<std::size_t>((rows * std::size_t(width) + threads - 1) / threads, 65535));
        launchKernel(activationKernelOdd<T, gated>, dim3(blocks), dim3(threads), 0, stream, x, out, rows,
                     width);
        return;
    }
    const std::size_t packs = rows * std::size_t(width / Pack<T>::size);
    const auto blocks = unsigned(std::min<std::size_t>((packs + threads - 1) / threads, 65535));
    launchKernel(activationKernel<T, gated>, dim3(blocks), dim3(threads), 0, stream, x, out, rows, width);
}

// Greedy sampling: largest logit of a row and where it stands; the first of equals.
__global__ void __launch_bounds__(1024)
    samplingKernel(const float* __restrict__ logits, float* __restrict__ out, int vocab)
{
    __shared__ float bestOf[32];
    __shared__ int indexOf[32];
    const float* const row = logits + std::size_t(blockIdx.x) * vocab;
    float best = -INFINITY;
    int index = vocab;
    for (int i = int(threadIdx.x); i < vocab; i += int(blockDim.x)) {
        const float value = row[i];
        if (value > best) {
            best = value;
            index = i;
        }
    }
    const auto merge = [&](float otherBest, int otherIndex) {
        if (otherBest > best || (otherBest == best && otherIndex < index)) {
            best = otherBest;
            index = otherIndex;
        }
    };
    for (int offset = 16; offset > 0; offset /= 2)
        merge(__shfl_xor_sync(0xFFFFFFFFU, best, offset), __shfl_xor_sync(0xFFFFFFFFU, index, offset));
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    if (lane == 0) {
        bestOf[warp] = best;
        indexOf[warp] = index;
    }
    __syncthreads();
    if (warp != 0)
        return;
    const int warps = int(blockDim.x) / 32;
    best = lane < warps ? bestOf[lane] : -INFINITY;
    index = lane < warps ? indexOf[lane] : vocab;
    for (int offset = 16; offset > 0; offset /= 2)
        merge(__shfl_xor_sync(0xFFFFFFFFU, best, offset), __shfl_xor_sync(0xFFFFFFFFU, index, offset));
    if (lane == 0)
        out[blockIdx.x] = float(index);
}

// Sum of the array; one atomic a block. `out` is cleared by the launch before.
__global__ void readKernel(const float* __restrict__ from, std::size_t packs, float* out)
{
    __shared__ float shared[32];
    float sum = 0;
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < packs; i += stride) {
        const Pack<float> pack = streamed(from + i * 4);
        sum += (pack.at[0] + pack.at[1]) + (pack.at[2] + pack.at[3]);
    }
    sum = sumOfBlock(sum, shared);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

__global__ void copyKernel(const float* __restrict__ from, float* __restrict__ to, std::size_t packs)
{
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < packs; i += stride)
        stored(to + i * 4, streamed(from + i * 4));
}

__global__ void emptyKernel() {}

constexpr unsigned streamThreads = 512;
unsigned streamBlocks(std::size_t packs)
{
    // Enough to fill any card several times over; each thread then has a few packs in flight.
    return unsigned(std::clamp<std::size_t>(packs / (streamThreads * 4), 1, 8192));
}

} // namespace

void launchNorm(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    switch (task.activations) {
    case DType::Fp32:
        norm<float>(task, o, stream);
        break;
    case DType::Fp16:
        norm<__half>(task, o, stream);
        break;
    default:
        norm<__nv_bfloat16>(task, o, stream);
        break;
    }
}

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

void launchActivation(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    if (task.activations == DType::Fp16)
        task.gated ? activation<__half, true>(task, o, stream) : activation<__half, false>(task, o, stream);
    else
        task.gated ? activation<__nv_bfloat16, true>(task, o, stream)
                   : activation<__nv_bfloat16, false>(task, o, stream);
}

void launchSampling(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    launchKernel(samplingKernel, dim3(unsigned(task.m)), dim3(1024), 0, stream, o.input.bytes.as<float>(),
                 o.output.bytes.as<float>(), int(task.n));
}

void launchRead(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const std::size_t packs = std::size_t(task.bytes) / 16;
    cudaCheck(cudaMemsetAsync(o.output.bytes.data(), 0, sizeof(float), stream));
    launchKernel(readKernel, dim3(streamBlocks(packs)), dim3(streamThreads), 0, stream,
                 o.input.bytes.as<float>(), packs, o.output.bytes.as<float>());
}

void launchCopy(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const std::size_t packs = std::size_t(task.bytes) / 16;
    launchKernel(copyKernel, dim3(streamBlocks(packs)), dim3(streamThreads), 0, stream,
                 o.input.bytes.as<float>(), o.output.bytes.as<float>(), packs);
}

void launchEmpty(cudaStream_t stream) { launchKernel(emptyKernel, dim3(1), dim3(32), 0, stream); }

} // namespace headroom::kernels
