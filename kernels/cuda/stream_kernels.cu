#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.h"
#include "kernels/cuda/stream_kernels.h"
#include "kernels/cuda/tile.cuh"

#include <algorithm>
#include <limits>

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

int normThreads(int packs) { return std::clamp((packs + 31) / 32 * 32, 32, packs > 512 ? 1024 : 512); }

// `columns`: 16-byte pieces of a row that a thread holds.
Variant normVariant(const Task& task, int size)
{
    if (task.variant)
        return *task.variant;
    const int packs = int(task.k) / size;
    if (task.k % size != 0 || packs > 4 * 1024)
        return {.plain = true};
    const int each = (packs + normThreads(packs) - 1) / normThreads(packs);
    return {.columns = each <= 2 ? std::max(each, 1) : 4};
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
    const Variant variant = normVariant(task, size);
    if (variant.plain) {
        launchKernel(normKernelOdd<T>, dim3(rows), dim3(256), 0, stream, x, residual, weight, out, sum,
                     width);
        return;
    }
    const int threads = normThreads(packs);
    if (variant.columns == 1)
        launchKernel(normKernel<T, 1>, dim3(rows), dim3(unsigned(threads)), 0, stream, x, residual, weight,
                     out, sum, width);
    else if (variant.columns == 2)
        launchKernel(normKernel<T, 2>, dim3(rows), dim3(unsigned(threads)), 0, stream, x, residual, weight,
                     out, sum, width);
    else
        launchKernel(normKernel<T, 4>, dim3(rows), dim3(unsigned(threads)), 0, stream, x, residual, weight,
                     out, sum, width);
}

__device__ inline float silu(float x) { return x / (1 + __expf(-x)); }
__device__ inline float gelu(float x) { return 0.5F * x * (1 + erff(x * 0.70710678F)); }

constexpr unsigned activationThreads = 256;

// x holds gate and up side by side (gated) or one branch: 16 bytes of the result a thread.
template <typename T, bool gated>
__global__ void __launch_bounds__(activationThreads)
    activationKernel(const T* __restrict__ x, T* __restrict__ out, unsigned packs, int width)
{
    constexpr int size = Pack<T>::size;
    const unsigned packsOfRow = unsigned(width / size);
    const unsigned at = blockIdx.x * activationThreads + threadIdx.x;
    if (at >= packs)
        return;
    const unsigned row = at / packsOfRow;
    const T* const from
        = x + std::size_t(row) * width * (gated ? 2 : 1) + std::size_t(at - row * packsOfRow) * size;
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
    stored(out + std::size_t(at) * size, result);
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

// The fast kernel counts its words of 16 bytes in 32 bit.
template <typename T>
bool activationPlain(const Task& task)
{
    const std::int64_t packs = task.m * (task.n / Pack<T>::size);
    return task.variant ? task.variant->plain
                        : task.n % Pack<T>::size != 0 || packs > std::numeric_limits<std::int32_t>::max();
}

template <typename T, bool gated>
void activation(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const auto* const x = o.input.bytes.as<T>();
    auto* const out = o.output.bytes.as<T>();
    const auto rows = std::size_t(task.m);
    const int width = int(task.n);
    if (activationPlain<T>(task)) {
        constexpr unsigned threads = 256;
        const auto blocks
            = unsigned(std::min<std::size_t>((rows * std::size_t(width) + threads - 1) / threads, 65535));
        launchKernel(activationKernelOdd<T, gated>, dim3(blocks), dim3(threads), 0, stream, x, out, rows,
                     width);
        return;
    }
    const auto packs = unsigned(rows * std::size_t(width / Pack<T>::size));
    launchKernel(activationKernel<T, gated>, dim3((packs + activationThreads - 1) / activationThreads),
                 dim3(activationThreads), 0, stream, x, out, packs, width);
}

// The largest of some logits and where it stands; the first of equals.
struct Best {
    float value;
    int index;
};
__device__ void takeBetter(Best& best, float value, int index)
{
    if (value > best.value || (value == best.value && index < best.index))
        best = {value, index};
}
__device__ Best bestOfWarp(Best best)
{
    for (int offset = 16; offset > 0; offset /= 2)
        takeBetter(best, __shfl_xor_sync(0xFFFFFFFFU, best.value, offset),
                   __shfl_xor_sync(0xFFFFFFFFU, best.index, offset));
    return best;
}

// Greedy sampling. A row is shared out among blocks, so that one row is as fast as many are; the block of a
// row that finishes last takes the best of all.
constexpr int samplingThreads = 256;
constexpr int logitsPerBlock = samplingThreads * 16;
int samplingParts(const Task& task)
{
    return int(std::clamp<std::int64_t>(task.n / logitsPerBlock, 1, samplingThreads));
}
__global__ void __launch_bounds__(samplingThreads)
    samplingKernel(const float* __restrict__ logits, float* __restrict__ out, int vocab, int* counters,
                   Best* parts)
{
    __shared__ Best bestOf[samplingThreads / 32];
    const int part = int(blockIdx.x);
    const int count = int(gridDim.x);
    const int row = int(blockIdx.y);
    const float* const of = logits + std::size_t(row) * vocab;
    Best best{-INFINITY, vocab};
    const int stride = count * samplingThreads;
    int i = part * samplingThreads + int(threadIdx.x);
    if (vocab % 4 == 0) { // each row then begins at 16 bytes
#pragma unroll 4
        for (; i < vocab / 4; i += stride) {
            const Pack<float> pack = streamed(of + std::size_t(i) * 4);
#pragma unroll
            for (int j = 0; j < 4; ++j)
                takeBetter(best, pack.at[j], i * 4 + j);
        }
    } else {
        for (; i < vocab; i += stride)
            takeBetter(best, of[i], i);
    }
    const int lane = int(threadIdx.x) % 32;
    const auto bestOfBlock = [&] {
        best = bestOfWarp(best);
        if (lane == 0)
            bestOf[threadIdx.x / 32] = best;
        __syncthreads();
        best = bestOfWarp(lane < samplingThreads / 32 ? bestOf[lane] : Best{-INFINITY, vocab});
    };
    bestOfBlock();
    if (threadIdx.x == 0)
        parts[std::size_t(row) * count + part] = best;
    if (!lastOf(counters + row, count))
        return;
    best = {-INFINITY, vocab};
    if (int(threadIdx.x) < count) {
        const Best* const other = parts + std::size_t(row) * count + threadIdx.x;
        takeBetter(best, __ldcg(&other->value), __ldcg(&other->index));
    }
    bestOfBlock();
    if (threadIdx.x == 0)
        out[row] = float(best.index);
}

// Sum of the array: the block that finishes last adds the others' sums up.
__global__ void readKernel(const float* __restrict__ from, std::size_t packs, float* sums, int* counter,
                           float* out)
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
        sums[blockIdx.x] = sum;
    if (!lastOf(counter, int(gridDim.x)))
        return;
    sum = 0;
    for (unsigned i = threadIdx.x; i < gridDim.x; i += blockDim.x)
        sum += __ldcg(sums + i);
    sum = sumOfBlock(sum, shared);
    if (threadIdx.x == 0)
        *out = sum;
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

// A counter for each row, then the best of its parts.
std::size_t samplingCounterBytes(const Task& task)
{
    return (std::size_t(task.m) * sizeof(int) + 127) / 128 * 128;
}

} // namespace

Variant streamVariant(const Task& task)
{
    const int size = task.activations == DType::Fp32 ? 4 : 8; // elements of 16 bytes
    if (task.kernel == Kernel::NormResidual)
        return normVariant(task, size);
    if (task.variant)
        return *task.variant;
    return {.plain = task.activations == DType::Fp16 ? activationPlain<__half>(task)
                                                     : activationPlain<__nv_bfloat16>(task)};
}

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

void launchActivation(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    if (task.activations == DType::Fp16)
        task.gated ? activation<__half, true>(task, o, stream) : activation<__half, false>(task, o, stream);
    else
        task.gated ? activation<__nv_bfloat16, true>(task, o, stream)
                   : activation<__nv_bfloat16, false>(task, o, stream);
}

std::size_t samplingWorkspace(const Task& task)
{
    return samplingCounterBytes(task) + std::size_t(task.m) * samplingParts(task) * sizeof(Best);
}

void launchSampling(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    auto* const parts = reinterpret_cast<Best*>(o.workspace.as<std::uint8_t>() + samplingCounterBytes(task));
    launchKernel(samplingKernel, dim3(unsigned(samplingParts(task)), unsigned(task.m)), dim3(samplingThreads),
                 0, stream, o.input.bytes.as<float>(), o.output.bytes.as<float>(), int(task.n),
                 o.workspace.as<int>(), parts);
}

// A counter, then the sums of the blocks.
constexpr std::size_t counterBytes = 128;
std::size_t readWorkspace(const Task& task)
{
    return counterBytes + streamBlocks(std::size_t(task.bytes) / 16) * sizeof(float);
}

void launchRead(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const std::size_t packs = std::size_t(task.bytes) / 16;
    auto* const sums = reinterpret_cast<float*>(o.workspace.as<std::uint8_t>() + counterBytes);
    launchKernel(readKernel, dim3(streamBlocks(packs)), dim3(streamThreads), 0, stream,
                 o.input.bytes.as<float>(), packs, sums, o.workspace.as<int>(), o.output.bytes.as<float>());
}

void launchCopy(const Task& task, DeviceOperands& o, cudaStream_t stream)
{
    const std::size_t packs = std::size_t(task.bytes) / 16;
    launchKernel(copyKernel, dim3(streamBlocks(packs)), dim3(streamThreads), 0, stream,
                 o.input.bytes.as<float>(), o.output.bytes.as<float>(), packs);
}

void launchEmpty(cudaStream_t stream) { launchKernel(emptyKernel, dim3(1), dim3(32), 0, stream); }

} // namespace headroom::kernels
