#pragma once

#include "kernels/task.h"
#include "model/catalogue/llm.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

// One layer of a model in one step, on one device of `tp`.
struct LayerCase {
    const Llm* llm = nullptr;
    std::size_t kind = 0; // of Llm::kinds
    int tp = 1;
    DType weights = DType::Bf16;
    DType activations = DType::Bf16;
    DType kv = DType::Bf16;
    bool decode = true;
    std::int64_t sequences = 1;
    std::int64_t queryTokens = 1; // of each sequence: 1 in decode
    std::int64_t past = 0;        // tokens cached before them
};

// The layer as the executor runs it: norm, projections, rotary embedding and cache, attention, MLP or
// experts. Empty when the layer has parts that no kernel executes (latent or linear attention).
[[nodiscard]] std::vector<kernels::Task> layerTasks(const LayerCase& layer);

[[nodiscard]] std::string
describe(const LayerCase& layer); // "layer smollm2-135m bf16 decode 4 x 1 after 256"

// (n, k) of every matrix of the model's layers on one of `tp` devices, each once.
struct MatrixShape {
    OpName name = OpName::Qkv;
    std::int64_t n = 0;
    std::int64_t k = 0;
};
[[nodiscard]] std::vector<MatrixShape> matricesOf(const Llm& model, int tp);

} // namespace headroom
