#pragma once

#include <cstdint>

namespace headroom {

// What one scale of an FP8 checkpoint is for. Engines have other kernels for each: products of blocks add up
// in pieces of a block, and those of rows take a scale for each row of the result.
enum class ScaleSpan : std::uint8_t {
    Tensor,  // NVIDIA's ModelOpt
    Channel, // a row of the matrix: llm-compressor's FP8_DYNAMIC
    Block    // 128 x 128: DeepSeek, Qwen
};

} // namespace headroom
