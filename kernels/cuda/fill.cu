#include "kernels/cuda/device_operands.h"
#include "kernels/cuda/element.cuh"
#include "kernels/cuda/launch.h"

#include <algorithm>

namespace headroom::kernels {

namespace {

// splitmix64 of the index: any element can be drawn by itself.
__device__ float symmetric(std::uint64_t seed, std::uint64_t index)
{
    std::uint64_t z = seed + (index + 1) * 0x9E3779B97F4A7C15ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    z ^= z >> 31;
    return static_cast<float>(static_cast<double>(z >> 11) * 0x1p-52 - 1.0);
}

template <typename T>
__global__ void fillKernel(T* to, std::size_t size, std::uint64_t seed, float scale)
{
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += stride)
        to[i] = fromFloat<T>(symmetric(seed, i) * scale);
}

// Two 4-bit values a byte, low half first, offset by 8, in -7 … 7.
__global__ void fillNibbles(std::uint8_t* to, std::size_t bytes, std::uint64_t seed)
{
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < bytes; i += stride) {
        const int low = __float2int_rn(symmetric(seed, 2 * i) * 7) + 8;
        const int high = __float2int_rn(symmetric(seed, 2 * i + 1) * 7) + 8;
        to[i] = static_cast<std::uint8_t>(low | high << 4);
    }
}

template <typename T>
__global__ void setKernel(T* to, std::size_t size, T value)
{
    const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < size; i += stride)
        to[i] = value;
}

constexpr int threads = 256;
int blocksFor(std::size_t size)
{
    constexpr std::size_t most = 4096;
    return static_cast<int>(std::min((size + threads - 1) / threads, most));
}

template <typename T>
void fillAs(DeviceTensor& tensor, std::uint64_t seed, float scale, cudaStream_t stream)
{
    const std::size_t size = tensor.rows * tensor.columns;
    launchKernel(fillKernel<T>, dim3(blocksFor(size)), dim3(threads), 0, stream, tensor.bytes.as<T>(), size,
                 seed, scale);
}

template <typename T>
void setAs(DeviceTensor& tensor, T value, cudaStream_t stream)
{
    const std::size_t size = tensor.rows * tensor.columns;
    launchKernel(setKernel<T>, dim3(blocksFor(size)), dim3(threads), 0, stream, tensor.bytes.as<T>(), size,
                 value);
}

} // namespace

void fillRandom(DeviceTensor& tensor, std::uint64_t seed, float scale, cudaStream_t stream)
{
    if (tensor.rows * tensor.columns == 0)
        return;
    float largest = 1; // stored value that stands for `scale`
    switch (tensor.type) {
    case DType::Fp32:
        fillAs<float>(tensor, seed, scale, stream);
        break;
    case DType::Bf16:
        fillAs<__nv_bfloat16>(tensor, seed, scale, stream);
        break;
    case DType::Fp16:
        fillAs<__half>(tensor, seed, scale, stream);
        break;
    case DType::Fp8:
        largest = 448;
        fillAs<__nv_fp8_e4m3>(tensor, seed, largest, stream);
        break;
    case DType::Int8:
        largest = 127;
        fillAs<std::int8_t>(tensor, seed, largest, stream);
        break;
    default:
        largest = 7;
        launchKernel(fillNibbles, dim3(blocksFor(tensor.bytes.bytes())), dim3(threads), 0, stream,
                     tensor.bytes.as<std::uint8_t>(), tensor.bytes.bytes(), seed);
        break;
    }
    if (tensor.scales.bytes() > 0) {
        const std::size_t count = tensor.scales.bytes() / sizeof(float);
        launchKernel(setKernel<float>, dim3(blocksFor(count)), dim3(threads), 0, stream,
                     tensor.scales.as<float>(), count, scale / largest);
    }
}

void fillNan(DeviceTensor& tensor, cudaStream_t stream)
{
    if (tensor.rows * tensor.columns == 0)
        return;
    switch (tensor.type) {
    case DType::Fp32:
        setAs<std::uint32_t>(tensor, 0x7FC00000U, stream);
        break;
    case DType::Bf16:
        setAs<std::uint16_t>(tensor, 0x7FC0U, stream);
        break;
    case DType::Fp16:
        setAs<std::uint16_t>(tensor, 0x7E00U, stream);
        break;
    default:
        return; // no output has another type
    }
}

} // namespace headroom::kernels
