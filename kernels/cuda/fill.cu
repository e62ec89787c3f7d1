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
void fillAs(const DeviceBuffer& bytes, std::uint64_t seed, float scale, cudaStream_t stream)
{
    const std::size_t size = bytes.bytes() / sizeof(T);
    launchKernel(fillKernel<T>, dim3(blocksFor(size)), dim3(threads), 0, stream, bytes.as<T>(), size, seed,
                 scale);
}

template <typename T>
void setAs(const DeviceBuffer& bytes, T value, cudaStream_t stream)
{
    const std::size_t size = bytes.bytes() / sizeof(T);
    launchKernel(setKernel<T>, dim3(blocksFor(size)), dim3(threads), 0, stream, bytes.as<T>(), size, value);
}

} // namespace

float storedScale(DType type)
{
    switch (type) {
    case DType::Fp8:
        return 448;
    case DType::Int8:
        return 127;
    case DType::Int4:
        return 7;
    default:
        return 1;
    }
}

void fillRandom(DType type, const DeviceBuffer& bytes, std::uint64_t seed, float scale, cudaStream_t stream)
{
    if (bytes.bytes() == 0)
        return;
    switch (type) {
    case DType::Fp32:
        return fillAs<float>(bytes, seed, scale, stream);
    case DType::Bf16:
        return fillAs<__nv_bfloat16>(bytes, seed, scale, stream);
    case DType::Fp16:
        return fillAs<__half>(bytes, seed, scale, stream);
    case DType::Fp8:
        return fillAs<__nv_fp8_e4m3>(bytes, seed, storedScale(type), stream);
    case DType::Int8:
        return fillAs<std::int8_t>(bytes, seed, storedScale(type), stream);
    default:
        launchKernel(fillNibbles, dim3(blocksFor(bytes.bytes())), dim3(threads), 0, stream,
                     bytes.as<std::uint8_t>(), bytes.bytes(), seed);
    }
}

void fillFloats(const DeviceBuffer& bytes, float value, cudaStream_t stream)
{
    if (bytes.bytes() > 0)
        setAs<float>(bytes, value, stream);
}

void fillNan(DType type, const DeviceBuffer& bytes, cudaStream_t stream)
{
    if (bytes.bytes() == 0)
        return;
    switch (type) {
    case DType::Fp32:
        return setAs<std::uint32_t>(bytes, 0x7FC00000U, stream);
    case DType::Bf16:
        return setAs<std::uint16_t>(bytes, 0x7FC0U, stream);
    case DType::Fp16:
        return setAs<std::uint16_t>(bytes, 0x7E00U, stream);
    default:
        return; // no output has another type
    }
}

} // namespace headroom::kernels
