#pragma once

#include "kernels/cuda/primitives.cuh"

#include <cstdint>
#include <type_traits>

namespace headroom::kernels {

// Conversions between storage types and float, and 16-byte accesses, shared by every kernel family.

template <typename T>
__device__ inline float toFloat(T value);
template <>
__device__ inline float toFloat(float value)
{
    return value;
}
template <>
__device__ inline float toFloat(__nv_bfloat16 value)
{
    return __bfloat162float(value);
}
template <>
__device__ inline float toFloat(__half value)
{
    return __half2float(value);
}
template <>
__device__ inline float toFloat(__nv_fp8_e4m3 value)
{
    return static_cast<float>(value);
}
template <>
__device__ inline float toFloat(std::int8_t value)
{
    return static_cast<float>(value);
}

template <typename T>
__device__ inline T fromFloat(float value);
template <>
__device__ inline float fromFloat(float value)
{
    return value;
}
template <>
__device__ inline __nv_bfloat16 fromFloat(float value)
{
    return __float2bfloat16(value);
}
template <>
__device__ inline __half fromFloat(float value)
{
    return __float2half(value);
}
template <>
__device__ inline __nv_fp8_e4m3 fromFloat(float value)
{
    return __nv_fp8_e4m3(value);
}
template <>
__device__ inline std::int8_t fromFloat(float value)
{
    return static_cast<std::int8_t>(__float2int_rn(fminf(fmaxf(value, -127.0F), 127.0F)));
}

// Sixteen bytes of elements, read or written in one access.
template <typename T>
struct alignas(16) Pack {
    static constexpr int size = 16 / sizeof(T);
    T at[size];
};

// Weights and caches are read once: they should not push activations out of the cache.
template <typename T>
__device__ inline Pack<T> streamed(const T* from)
{
    Pack<T> out;
    *reinterpret_cast<uint4*>(&out) = streamed16(from);
    return out;
}
template <typename T>
__device__ inline Pack<T> loaded(const T* from)
{
    return *reinterpret_cast<const Pack<T>*>(from);
}
template <typename T>
__device__ inline void stored(T* to, const Pack<T>& pack)
{
    *reinterpret_cast<Pack<T>*>(to) = pack;
}

__device__ inline float sumOfWarp(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xFFFFFFFFU, value, offset);
    return value;
}
__device__ inline float largestOfWarp(float value)
{
    for (int offset = 16; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xFFFFFFFFU, value, offset));
    return value;
}

// Sum over a block of at most 1,024 threads; every thread gets it. `shared` holds 32 floats.
__device__ inline float sumOfBlock(float value, float* shared)
{
    const int lane = int(threadIdx.x) % 32;
    const int warp = int(threadIdx.x) / 32;
    value = sumOfWarp(value);
    if (lane == 0)
        shared[warp] = value;
    __syncthreads();
    const int warps = (int(blockDim.x) + 31) / 32;
    value = lane < warps ? shared[lane] : 0.0F;
    value = sumOfWarp(value);
    __syncthreads();
    return value;
}

} // namespace headroom::kernels
