#pragma once

#include "model/base/dtype.h"
#include "model/base/message.h"
#include "model/base/units.h"
#include "model/catalogue/llm.h"
#include "model/deploy/layout.h"

#include <string>

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

    friend WeightBytes operator+(const WeightBytes& a, const WeightBytes& b)
    {
        return {a.embedding + b.embedding,         a.linear + b.linear, a.experts + b.experts,
                a.sharedExperts + b.sharedExperts, a.other + b.other,   a.head + b.head};
    }
    friend WeightBytes operator*(double times, const WeightBytes& a)
    {
        return {times * a.embedding,     times * a.linear, times * a.experts,
                times * a.sharedExperts, times * a.other,  times * a.head};
    }
    friend bool operator==(const WeightBytes&, const WeightBytes&) = default;
};

// As a checkpoint stores the text model.
[[nodiscard]] WeightBytes countWeights(const Llm& llm, DType type);

// Mean bytes of one element of each part as llama.cpp's mixture of block types stores it, all layers
// together: what a pass over a part reads. Allocation free.
struct MixedBytes {
    double mixer = 0, dense = 0, sharedExpert = 0, expert = 0, head = 0;
};
[[nodiscard]] MixedBytes mixedBytesPerElement(const Llm& llm, DType type);

// Layers of one pipeline stage: `first` to one before `end`.
struct StageRange {
    int first = 0;
    int end = 0;
    [[nodiscard]] constexpr int layers() const { return end - first; }

    friend constexpr bool operator==(const StageRange&, const StageRange&) = default;
};
// Equal shares, the remainder one each to the stages before the last, which holds the head (vLLM's
// get_pp_indices does the same).
[[nodiscard]] constexpr StageRange stageRange(int layers, int stages, int stage)
{
    const int share = layers / stages;
    const int remainder = layers % stages;
    const int firstLonger = stages - 1 - remainder;
    const int longerBefore = stage <= firstLonger ? 0
        : stage - firstLonger < remainder         ? stage - firstLonger
                                                  : remainder;
    const bool longer = stage >= firstLonger && stage < stages - 1;
    const int first = stage * share + longerBefore;
    return {first, first + share + (longer ? 1 : 0)};
}

// What one GPU of a stage holds: tp splits matrices (kv heads replicated when tp > kvHeads, vocab padded to
// 64 and split), ep splits experts over dp x tp, dp copies attention. A tied head is stored a second time on
// the last of several stages. Allocation free.
[[nodiscard]] WeightBytes weightsPerGpu(const Llm& llm, DType type, const Layout& layout, int stage);
[[nodiscard]] Bytes weightBytesPerGpu(const Llm& llm, DType type, const Layout& layout, int stage);

// One layer of a kind on one GPU, without the mixture rules that depend on a layer's place in the stack.
[[nodiscard]] WeightBytes layerWeightsPerGpu(const Llm& llm, const LayerKind& kind, DType type,
                                             const Layout& layout);

// The multi-token-prediction modules on one GPU of the last stage; they share embedding and head with the
// model.
[[nodiscard]] Bytes mtpBytesPerGpu(const Llm& llm, DType type, const Layout& layout);

// 16-bit adapters of `rank` on every linear layer but routers and routed experts. The factor that meets the
// split dimension is split, the other copied (S-LoRA, arXiv 2311.03285 §6; vLLM does the same).
[[nodiscard]] Bytes loraBytesPerGpu(const Llm& llm, int adapters, int rank, const Layout& layout, int stage);

// Kinds of cache and kinds of stages that are told apart; a model has few: full, one window, one state.
constexpr std::size_t maxCacheKinds = 16;
constexpr std::size_t maxDistinctStages = 8;

// Why a layout cannot run this model at all (heads not divisible, more stages than layers, experts not
// divisible). Empty when it can.
[[nodiscard]] Message layoutObstacle(const Llm& llm, const Layout& layout);

} // namespace headroom
