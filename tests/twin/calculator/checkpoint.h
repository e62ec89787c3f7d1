#pragma once

#include "spec.h"

#include <string>
#include <vector>

namespace headroom::twin {

// A matrix or vector of a checkpoint, named as llama.cpp names it.
struct Tensor {
    std::string name;
    int layer = -1;                        // -1: outside the layers
    double rows = 0, cols = 1, copies = 1; // outputs, inputs; one copy for each expert
    double split = 0;    // heads, groups or columns that tensor parallelism may deal out; 0: none
    bool expert = false; // routed
    bool shared = false;

    [[nodiscard]] double elements() const { return rows * cols * copies; }
    [[nodiscard]] bool isVector() const { return cols == 1 || name.find("conv1d") != std::string::npos; }
};
[[nodiscard]] std::vector<Tensor> tensorsOf(const ModelSpec& model);
[[nodiscard]] std::vector<Tensor> tensorsOfLayer(const ModelSpec& model, const LayerSpec& layer, int index);

[[nodiscard]] double parameters(const ModelSpec& model);
[[nodiscard]] double activeParameters(const ModelSpec& model); // of one token

// How a service is spread; `experts`: over how many ranks whole experts go.
struct Spread {
    int tensor = 1, stages = 1, experts = 1;
};
// First layer of a stage and one past its last: vLLM's get_pp_indices.
struct Layers {
    int first = 0, end = 0;
};
[[nodiscard]] Layers stageOf(int layers, int stages, int stage);
// Share of a tensor on the fullest rank.
[[nodiscard]] double shareOf(const Tensor& tensor, const Spread& spread);

// Bytes of one tensor in a checkpoint of this type ("bf16", "fp8", "q4_k_m", …), scales included.
[[nodiscard]] double storedBytes(const ModelSpec& model, const Tensor& tensor, const std::string& type);
[[nodiscard]] double checkpointBytes(const ModelSpec& model, const std::string& type);
// What one GPU of a stage loads: the vocabulary padded to 64 and dealt out, a tied head on both ends.
[[nodiscard]] double bytesPerGpu(const ModelSpec& model, const std::string& type, const Spread& spread,
                                 int stage);

} // namespace headroom::twin
