#pragma once

#include "kernels/cuda/cuda_check.h"

#include <cstddef>
#include <tuple>

namespace headroom::kernels {

// Starts a kernel and reports what the runtime says of the launch itself. More than 48 KB of dynamic shared
// memory has to be asked for, once a kernel; asking again costs little and keeps no state.
template <typename... Parameters, typename... Arguments>
void launchKernel(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t sharedBytes,
                  cudaStream_t stream, Arguments... arguments)
{
    constexpr std::size_t withoutAsking = 48 * 1024;
    if (sharedBytes > withoutAsking)
        cudaCheck(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, int(sharedBytes)));
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

} // namespace headroom::kernels
