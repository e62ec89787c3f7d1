#pragma once

#include <cuda_runtime.h>

#include <source_location>
#include <stdexcept>
#include <string>

namespace headroom::kernels {

// Something that the machine, not the user, got wrong: one sentence, thrown once per job.
class CudaFailure : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

inline void cudaCheck(cudaError_t status, std::source_location where = std::source_location::current())
{
    if (status != cudaSuccess)
        throw CudaFailure(std::string("CUDA: ") + cudaGetErrorString(status) + " (" + where.file_name() + ':'
                          + std::to_string(where.line()) + ')');
}

} // namespace headroom::kernels
