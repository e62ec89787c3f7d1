#pragma once

#include "kernels/cuda/warp_groups.cuh"

#include <cstdint>
#include <type_traits>

// Products of weights with activations by warp groups (warp_groups.cuh): 64 weight rows times 8 n rows of
// activations, the latter in shared memory.
#if defined(HEADROOM_WARP_GROUPS) && !defined(HEADROOM_EMULATED) && defined(__CUDA_ARCH_FEAT_SM90_ALL)
#define HEADROOM_WEIGHT_GROUPS 1
namespace headroom::kernels {

// c (64 x 8 n) += a (64 x 16) * b (8 n x 16) transposed. c[i]: columns 8 i + 2 (lane % 4) and the next of
// rows 16 (warp % 4) + lane / 4 and 8 more.
#define HEADROOM_SUMS(c, i) "+f"(c[i][0]), "+f"(c[i][1]), "+f"(c[i][2]), "+f"(c[i][3])
#define HEADROOM_SUMS4(c, i)                                                                                 \
    HEADROOM_SUMS(c, i), HEADROOM_SUMS(c, (i) + 1), HEADROOM_SUMS(c, (i) + 2), HEADROOM_SUMS(c, (i) + 3)
#define HEADROOM_PRODUCT_32(TYPE)                                                                            \
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1; "                                                     \
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32." TYPE "." TYPE " {"                            \
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"                      \
                 "}, %16, %17, p, 1, 1, 0, 0; }"                                                             \
                 : HEADROOM_SUMS4(c, 0)                                                                      \
                 : "l"(a), "l"(b))
template <typename T>
__device__ inline void multiplyTiles(float (&c)[4][4], std::uint64_t a, std::uint64_t b)
{
    if constexpr (std::is_same_v<T, __half>)
        HEADROOM_PRODUCT_32("f16");
    else
        HEADROOM_PRODUCT_32("bf16");
}
#undef HEADROOM_PRODUCT_32
#define HEADROOM_PRODUCT_64(TYPE)                                                                            \
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1; "                                                     \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32." TYPE "." TYPE " {"                            \
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                    \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"            \
                 "}, %32, %33, p, 1, 1, 0, 0; }"                                                             \
                 : HEADROOM_SUMS4(c, 0), HEADROOM_SUMS4(c, 4)                                                \
                 : "l"(a), "l"(b))
template <typename T>
__device__ inline void multiplyTiles(float (&c)[8][4], std::uint64_t a, std::uint64_t b)
{
    if constexpr (std::is_same_v<T, __half>)
        HEADROOM_PRODUCT_64("f16");
    else
        HEADROOM_PRODUCT_64("bf16");
}
#undef HEADROOM_PRODUCT_64
#define HEADROOM_PRODUCT_128(TYPE)                                                                           \
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1; "                                                     \
                 "wgmma.mma_async.sync.aligned.m64n128k16.f32." TYPE "." TYPE " {"                           \
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                    \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31, "          \
                 "%32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, "          \
                 "%48, %49, %50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63"            \
                 "}, %64, %65, p, 1, 1, 0, 0; }"                                                             \
                 : HEADROOM_SUMS4(c, 0), HEADROOM_SUMS4(c, 4), HEADROOM_SUMS4(c, 8), HEADROOM_SUMS4(c, 12)   \
                 : "l"(a), "l"(b))
template <typename T>
__device__ inline void multiplyTiles(float (&c)[16][4], std::uint64_t a, std::uint64_t b)
{
    if constexpr (std::is_same_v<T, __half>)
        HEADROOM_PRODUCT_128("f16");
    else
        HEADROOM_PRODUCT_128("bf16");
}
#undef HEADROOM_PRODUCT_128

// The same with `a` in registers, as multiplyTile has it (primitives.cuh), of the warp's sixteen rows.
#define HEADROOM_PRODUCT_32(TYPE)                                                                            \
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1; "                                                     \
                 "wgmma.mma_async.sync.aligned.m64n32k16.f32." TYPE "." TYPE " {"                            \
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15"                      \
                 "}, {%16, %17, %18, %19}, %20, p, 1, 1, 0; }"                                               \
                 : HEADROOM_SUMS4(c, 0)                                                                      \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
template <typename T>
__device__ inline void multiplyHeld(float (&c)[4][4], const std::uint32_t (&a)[4], std::uint64_t b)
{
    if constexpr (std::is_same_v<T, __half>)
        HEADROOM_PRODUCT_32("f16");
    else
        HEADROOM_PRODUCT_32("bf16");
}
#undef HEADROOM_PRODUCT_32
#define HEADROOM_PRODUCT_64(TYPE)                                                                            \
    asm volatile("{ .reg .pred p; setp.eq.u32 p, 1, 1; "                                                     \
                 "wgmma.mma_async.sync.aligned.m64n64k16.f32." TYPE "." TYPE " {"                            \
                 "%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "                    \
                 "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31"            \
                 "}, {%32, %33, %34, %35}, %36, p, 1, 1, 0; }"                                               \
                 : HEADROOM_SUMS4(c, 0), HEADROOM_SUMS4(c, 4)                                                \
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b))
template <typename T>
__device__ inline void multiplyHeld(float (&c)[8][4], const std::uint32_t (&a)[4], std::uint64_t b)
{
    if constexpr (std::is_same_v<T, __half>)
        HEADROOM_PRODUCT_64("f16");
    else
        HEADROOM_PRODUCT_64("bf16");
}
#undef HEADROOM_PRODUCT_64
#undef HEADROOM_SUMS4
#undef HEADROOM_SUMS

} // namespace headroom::kernels
#endif
