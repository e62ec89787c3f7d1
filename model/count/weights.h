#pragma once

#include "model/catalogue/llm.h"
#include "model/dtype.h"
#include "model/plan/layout.h"
#include "model/units.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom {

// Bytes of weights by part when the linear layers are stored as `type`: quantised checkpoints keep
// embeddings, head, norms and router in 16 bit, and add scales.
struct WeightBytes {
    Bytes embedding;
    Bytes linear; // mixers and dense MLP matrices
    Bytes experts;
    Bytes sharedExperts;
    Bytes other; // norms, routers, biases
    Bytes head;
    [[nodiscard]] Bytes total() const { return embedding + linear + experts + sharedExperts + other + head; }
};
[[nodiscard]] WeightBytes countWeights(const Llm& llm, DType type);

// First layer and one past the last of one pipeline stage: equal shares, the remainder one each to the stages
// before the last, which holds the head (vLLM's get_pp_indices does the same).
[[nodiscard]] constexpr std::pair<int, int> stageRange(int layers, int stages, int stage)
{
    const int share = layers / stages;
    const int remainder = layers % stages;
    const auto extra = [&](int s) { return s < stages - 1 && s >= stages - 1 - remainder ? 1 : 0; };
    int begin = 0;
    for (int s = 0; s < stage; ++s)
        begin += share + extra(s);
    return {begin, begin + share + extra(stage)};
}

// First layer and one past the last of each pipeline stage: as even as whole layers allow, the remainder to
// the middle stages, as engines do (embedding and head weigh on the ends).
[[nodiscard]] std::vector<std::pair<int, int>> pipelineStages(const Llm& llm, int stages);

// What one GPU of a stage holds: tp splits matrices (kv heads replicated when tp > kvHeads, vocab padded to
// tp), ep splits experts, dp copies attention.
[[nodiscard]] Bytes weightBytesPerGpu(const Llm& llm, DType type, const Layout& layout, int stage);

// Why a layout cannot run this model at all (heads not divisible, more stages than layers, experts not
// divisible). Empty when it can.
[[nodiscard]] std::string layoutObstacle(const Llm& llm, const Layout& layout);

} // namespace headroom
