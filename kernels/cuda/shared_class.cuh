#pragma once

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/index.h"

namespace headroom::kernels {

// What a block has of shared memory, on multiprocessors of 228 KB where two shall fit, on smaller ones, and
// on Turing.
enum class SharedClass { Large, Middle, Small };
HEADROOM_BOTH constexpr int sharedBudget(SharedClass size)
{
    return 1024 * (size == SharedClass::Large ? 110 : size == SharedClass::Middle ? 97 : 62);
}
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ / 100 == 10
constexpr SharedClass sharedHere = SharedClass::Large;
#elif __CUDA_ARCH__ >= 800
constexpr SharedClass sharedHere = SharedClass::Middle;
#else
constexpr SharedClass sharedHere = SharedClass::Small;
#endif
// That of the current device.
inline SharedClass sharedOfDevice()
{
    int device = 0;
    int bytes = 0;
    cudaCheck(cudaGetDevice(&device));
    cudaCheck(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    return bytes >= 220 * 1024 ? SharedClass::Large
        : bytes >= 98 * 1024   ? SharedClass::Middle
                               : SharedClass::Small;
}

} // namespace headroom::kernels
