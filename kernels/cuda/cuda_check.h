#pragma once

#include "kernels/device_failure.h"

#include <cuda_runtime.h>

#include <source_location>
#include <string>

namespace headroom::kernels {

// Something that the machine, not the user, got wrong: one sentence.
class CudaFailure : public DeviceFailure {
public:
    using DeviceFailure::DeviceFailure;
};

inline void cudaCheck(cudaError_t status, std::source_location where = std::source_location::current())
{
    if (status != cudaSuccess)
        throw CudaFailure(std::string("CUDA: ") + cudaGetErrorString(status) + " (" + where.file_name() + ':'
                          + std::to_string(where.line()) + ')');
}

} // namespace headroom::kernels
