#pragma once

#include "kernels/cuda/cuda_check.h"

#include <cstddef>
#include <tuple>

namespace headroom::kernels {

// More than 48 KB of dynamic shared memory has to be asked for, once a kernel; asking again costs little and
// keeps no state.
template <typename... Parameters>
void allowShared(void (*kernel)(Parameters...), std::size_t bytes)
{
    constexpr std::size_t withoutAsking = 48 * 1024;
    if (bytes > withoutAsking)
        cudaCheck(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, int(bytes)));
}

// Starts a kernel and reports what the runtime says of the launch itself.
template <typename... Parameters, typename... Arguments>
void launchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t sharedBytes,
                  cudaStream_t stream, Arguments... arguments)
{
    allowShared(kernel, sharedBytes);
#ifdef HEADROOM_EMULATED
    emulateLaunch(grid, block, sharedBytes,
                  [kernel, values = std::tuple<Parameters...>(static_cast<Parameters>(arguments)...)] {
                      std::apply(kernel, values);
                  });
#else
    kernel<<<grid, block, sharedBytes, stream>>>(static_cast<Parameters>(arguments)...);
#endif
    cudaCheck(cudaGetLastError());
}

// The same for a kernel that begins with awaitPrevious(): from 9.0 on, its blocks are put on multiprocessors
// while the last ones of the launch before finish.
template <typename... Parameters, typename... Arguments>
void launchAfter(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t sharedBytes,
                 cudaStream_t stream, Arguments... arguments)
{
#if !defined(HEADROOM_EMULATED) && CUDART_VERSION >= 12030
    int device = 0;
    int major = 0;
    cudaCheck(cudaGetDevice(&device));
    cudaCheck(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
    if (major >= 9) {
        allowShared(kernel, sharedBytes);
        cudaLaunchAttribute early{};
        early.id = cudaLaunchAttributeProgrammaticStreamSerialization;
        early.val.programmaticStreamSerializationAllowed = 1;
        cudaLaunchConfig_t config{};
        config.gridDim = grid;
        config.blockDim = block;
        config.dynamicSmemBytes = sharedBytes;
        config.stream = stream;
        config.attrs = &early;
        config.numAttrs = 1;
        cudaCheck(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
        return;
    }
#endif
    launchKernel(kernel, grid, block, sharedBytes, stream, arguments...);
}

} // namespace headroom::kernels
