#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>

#include <cstdint>

// The instructions that C++ has no words for. A build that defines HEADROOM_EMULATED replaces this file's
// functions by the same ones for a processor, so that the kernels can be checked where there is no GPU.
#ifdef HEADROOM_EMULATED
#include "cuda_emulation.h"
#else

namespace headroom::kernels {

// Sixteen bytes that are read once: they should not push activations out of the first cache.
__device__ inline uint4 streamed16(const void* from)
{
    uint4 out;
    asm volatile("ld.global.nc.L1::no_allocate.v4.u32 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out.x), "=r"(out.y), "=r"(out.z), "=r"(out.w)
                 : "l"(from));
    return out;
}

// A kernel that is launched after another of its stream may be put on multiprocessors before that one is done
// (launch.h): it waits for all that the other wrote, and the other says from when on it may come.
__device__ inline void awaitPrevious()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
__device__ inline void letNextStart()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
#endif
}

// The same number, but nothing that follows from it is kept in registers over a loop that asks anew: where
// they are full, integer operations are cheaper than spills.
__device__ inline int anew(int value)
{
    asm volatile("" : "+r"(value));
    return value;
}

// Some bits of a word, and those of another beside them, in one instruction.
template <std::uint32_t mask>
__device__ inline std::uint32_t maskedBeside(std::uint32_t word, std::uint32_t other)
{
    std::uint32_t out;
    asm("lop3.b32 %0, %1, %2, %3, 0xEA;" : "=r"(out) : "r"(word), "n"(mask), "r"(other));
    return out;
}

// 2^x by the hardware's own instruction; results below 2^-126 are zero, as weights of a softmax may be.
__device__ inline float powerOfTwo(float x)
{
    float out;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(out) : "f"(x));
    return out;
}

__device__ inline unsigned sharedAddress(const void* pointer)
{
    return static_cast<unsigned>(__cvta_generic_to_shared(pointer));
}

// Sixteen bytes from memory to shared memory without passing registers; zeros when not `valid`. Complete
// after the waitCopies of its group.
__device__ inline void copyAsync(void* shared, const void* from, bool valid)
{
#if __CUDA_ARCH__ >= 800
    const int bytes = valid ? 16 : 0;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(sharedAddress(shared)), "l"(from),
                 "r"(bytes)
                 : "memory");
#else
    *static_cast<uint4*>(shared) = valid ? *static_cast<const uint4*>(from) : make_uint4(0, 0, 0, 0);
#endif
}
// The same, of bytes whose neighbours in their line of 128 are wanted soon after.
__device__ inline void copyAsyncOfLine(void* shared, const void* from, bool valid)
{
#if __CUDA_ARCH__ >= 800
    const int bytes = valid ? 16 : 0;
    asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], 16, %2;" ::"r"(sharedAddress(shared)),
                 "l"(from), "r"(bytes)
                 : "memory");
#else
    copyAsync(shared, from, valid);
#endif
}
// Four bytes.
__device__ inline void copyAsync4(void* shared, const void* from)
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(sharedAddress(shared)), "l"(from)
                 : "memory");
#else
    *static_cast<std::uint32_t*>(shared) = *static_cast<const std::uint32_t*>(from);
#endif
}
__device__ inline void commitCopies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
// Until at most `pending` of the groups this thread committed are under way.
template <int pending>
__device__ inline void waitCopies()
{
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}

// Four 8 x 8 matrices of 16-bit elements. Lane i gives the address of row i % 8 of matrix i / 8; lane l gets
// of each matrix the elements (l / 4, 2 (l % 4)) and the next, two to a register.
__device__ inline void matrices4(std::uint32_t (&out)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(sharedAddress(row))
                 : "memory");
}
// The same, of the transposed matrices: elements (2 (l % 4), l / 4) and the one below.
__device__ inline void matrices4Transposed(std::uint32_t (&out)[4], const void* row)
{
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(out[0]), "=r"(out[1]), "=r"(out[2]), "=r"(out[3])
                 : "r"(sharedAddress(row))
                 : "memory");
}

// An 8 x 8 matrix of 16-bit elements that the warp holds, lane l the elements (l / 4, 2 (l % 4)) and the
// next: afterwards (2 (l % 4), l / 4) and the one below.
__device__ inline std::uint32_t transposed8x8(std::uint32_t pair)
{
    std::uint32_t out;
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(out) : "r"(pair));
    return out;
}

// c (16 x 8, fp32) += a (16 x 16) * b (16 x 8), by one warp. With g = lane / 4 and t = lane % 4 (PTX ISA,
// "Matrix fragments for mma.m16n8k16"):
//   a[0] = (g, 2t), (g, 2t+1)   a[1] = row g+8   a[2] = columns + 8   a[3] = both
//   b0 = (2t, g), (2t+1, g)     b1 = rows + 8
//   c[0], c[1] = (g, 2t), (g, 2t+1)   c[2], c[3] = row g+8
template <typename T>
__device__ inline void multiplyTile(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                    std::uint32_t b1);
template <>
__device__ inline void multiplyTile<__half>(float (&c)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                            std::uint32_t b1)
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    // Turing multiplies 8 deep: the first two registers of a and b0 are columns 0-7, the rest 8-15.
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(b0));
    asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[2]), "r"(a[3]), "r"(b1));
#endif
}
template <>
__device__ inline void multiplyTile<__nv_bfloat16>(float (&c)[4], const std::uint32_t (&a)[4],
                                                   std::uint32_t b0, std::uint32_t b1)
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#else
    __trap(); // refused by obstacle(): bf16 products need compute capability 8.0
#endif
}

// Two 16-bit numbers in one register, the first in the low half.
template <typename T>
__device__ inline std::uint32_t packed(float low, float high);
template <>
__device__ inline std::uint32_t packed<__half>(float low, float high)
{
    const __half2 pair = __floats2half2_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
}
template <>
__device__ inline std::uint32_t packed<__nv_bfloat16>(float low, float high)
{
    const __nv_bfloat162 pair = __floats2bfloat162_rn(low, high);
    return *reinterpret_cast<const std::uint32_t*>(&pair);
}

template <typename T>
struct PairOf;
template <>
struct PairOf<__half> {
    using Type = __half2;
};
template <>
struct PairOf<__nv_bfloat16> {
    using Type = __nv_bfloat162;
};
template <typename T>
__device__ inline typename PairOf<T>::Type asPair(std::uint32_t bits)
{
    return *reinterpret_cast<const typename PairOf<T>::Type*>(&bits);
}
template <typename T>
__device__ inline std::uint32_t subtractPairs(std::uint32_t a, std::uint32_t b)
{
    const auto out = __hsub2(asPair<T>(a), asPair<T>(b));
    return *reinterpret_cast<const std::uint32_t*>(&out);
}
template <typename T>
__device__ inline std::uint32_t multiplyPairs(std::uint32_t a, std::uint32_t b)
{
    const auto out = __hmul2(asPair<T>(a), asPair<T>(b));
    return *reinterpret_cast<const std::uint32_t*>(&out);
}

// Memory that a launch asked for beside the arrays it declares.
__device__ inline unsigned char* dynamicShared()
{
    extern __shared__ __align__(128) unsigned char headroomShared[];
    return headroomShared;
}

} // namespace headroom::kernels
#endif
