#pragma once

#include "model/base/dtype.h"
#include "model/catalogue/llm.h"
#include "model/count/tensors.h"

namespace headroom {

// How a checkpoint of `type` stores tensors; what a tensor's place in the stack adds to that.
struct StorageRules {
    const Llm* llm = nullptr;
    DType type = DType::Bf16;
    bool asLoaded = false;    // padded as kernels want it, not as the file holds it
    bool betterValue = false; // llama.cpp's K_M mixtures: this layer's attention v …
    bool betterDown = false;  // … and this layer's second MLP matrix take the better block type
    bool earlyLayer = false;  // Q3_K_M: the first sixteenth is better still
};

// Bytes of a tensor, scales and zero points included.
[[nodiscard]] double storedBytes(const Tensor& tensor, const StorageRules& rules);

// True where llama.cpp mixes block types by layer.
[[nodiscard]] constexpr bool mixesByLayer(DType type)
{
    return type == DType::Q3_K_M || type == DType::Q4_K_M || type == DType::Q5_K_M;
}

// llama.cpp's use_more_bits: the first and last eighth and every third layer between.
[[nodiscard]] constexpr bool usesMoreBits(int layer, int layers)
{
    return layer < layers / 8 || layer >= 7 * layers / 8 || (layer - layers / 8) % 3 == 2;
}

} // namespace headroom
