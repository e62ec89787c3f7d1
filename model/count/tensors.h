#pragma once

#include "model/catalogue/llm.h"

#include <cstdint>

namespace headroom {

enum class Part : std::uint8_t {
    Embedding, // token and position tables
    Mixer,
    DenseMlp,
    Router,  // and the projections into and out of the experts' latent
    Experts, // routed
    SharedExperts,
    Norm,
    Head
};

// What a tensor is to a quantiser: which of its rules applies.
enum class TensorRole : std::uint8_t {
    Linear, // multiplied by, and quantised with the model
    Value,  // the attention's v, which llama.cpp keeps better than the rest
    Key,
    AttentionOut,
    Down,       // the MLP's second matrix
    Router,     // multiplied by, never quantised
    KeptLinear, // the sparse indexer's head weights: 16 bit in 8-bit checkpoints
    Table,      // token embedding
    Positions,
    Head,
    Vector // norms, biases, convolutions, sinks, decay rates
};

// One kind of tensor of a model: `copies` of rows (outputs) x cols (inputs).
struct Tensor {
    Part part = Part::Mixer;
    TensorRole role = TensorRole::Linear;
    std::int64_t rows = 0;
    std::int64_t cols = 1;
    std::int64_t copies = 1;
    std::int64_t units
        = 0;         // heads, groups, columns: what tensor parallelism may not cut; 0: every rank has a copy
    int experts = 0; // Experts: that the copies belong to

    [[nodiscard]] constexpr std::int64_t elements() const { return rows * cols * copies; }
};

// Width of one norm of the residual stream: LayerNorm also has a bias.
[[nodiscard]] constexpr std::int64_t normWidth(const Llm& llm)
{
    return llm.norm == NormKind::LayerNorm ? 2 * llm.hidden : llm.hidden;
}

namespace tensors {

// Manifold-constrained hyper-connections (DeepSeek-V4): before and after the mixer and before and after the
// MLP, weights for joining, spreading and mixing the streams are computed from all of them.
template <typename Visit>
void ofHyperConnections(const Llm& llm, Visit&& visit)
{
    constexpr std::int64_t sites = 2;
    const std::int64_t streams = llm.residualStreams;
    const std::int64_t mixes = (2 + streams) * streams;
    visit(Tensor{Part::Mixer, TensorRole::KeptLinear, mixes, streams * llm.hidden, sites, 0});
    visit(Tensor{Part::Mixer, TensorRole::Vector, mixes + 3, 1, sites, 0}); // biases and three scales
}

// What joins the streams before the final norm; a prediction module has one too.
[[nodiscard]] constexpr std::int64_t hyperHead(const Llm& llm)
{
    const std::int64_t streams = llm.residualStreams;
    return streams > 0 ? streams * streams * llm.hidden + streams + 1 : 0;
}

template <typename Visit>
void ofDenseMlp(std::int64_t hidden, const Mlp& mlp, Part part, std::int64_t width, Visit&& visit)
{
    const std::int64_t inputs = mlp.gated ? 2 : 1;
    visit(Tensor{part, TensorRole::Linear, width, hidden, inputs, width});
    visit(Tensor{part, TensorRole::Down, hidden, width, 1, width});
    if (mlp.bias) {
        visit(Tensor{part, TensorRole::Vector, width, 1, inputs, width});
        visit(Tensor{part, TensorRole::Vector, hidden, 1, 1, 0});
    }
}

template <typename Visit>
void ofMoe(std::int64_t hidden, const Mlp& mlp, Visit&& visit)
{
    const std::int64_t experts = mlp.experts;
    const std::int64_t inputs = mlp.gated ? 2 : 1;
    const std::int64_t width = mlp.expertIntermediate;
    const std::int64_t stream = mlp.latent > 0 ? mlp.latent : hidden;
    visit(Tensor{Part::Router, TensorRole::Router, experts, hidden, 1, 0});
    if (mlp.routerBias)
        visit(Tensor{Part::Router, TensorRole::Vector, experts, 1, 1, 0});
    if (mlp.latent > 0)
        visit(Tensor{Part::Router, TensorRole::Linear, mlp.latent, hidden, 2, 0});
    visit(Tensor{Part::Experts, TensorRole::Linear, width, stream, inputs * experts, width, mlp.experts});
    visit(Tensor{Part::Experts, TensorRole::Down, stream, width, experts, width, mlp.experts});
    if (mlp.expertBias) {
        visit(Tensor{Part::Experts, TensorRole::Vector, width, 1, inputs * experts, width, mlp.experts});
        visit(Tensor{Part::Experts, TensorRole::Vector, stream, 1, experts, 0, mlp.experts});
    }
    if (mlp.sharedIntermediate > 0)
        ofDenseMlp(hidden, mlp, Part::SharedExperts, mlp.sharedIntermediate, visit);
    if (mlp.sharedGate)
        visit(Tensor{Part::SharedExperts, TensorRole::Vector, hidden, 1, 1, 0});
}

// Of one layer, what its mixer does not have.
template <typename Visit>
void besideMixer(const Llm& llm, const LayerKind& kind, Visit&& visit)
{
    if (kind.mlp.kind == MlpKind::Dense)
        ofDenseMlp(llm.hidden, kind.mlp, Part::DenseMlp, kind.mlp.intermediate, visit);
    else if (kind.mlp.kind == MlpKind::Moe)
        ofMoe(llm.hidden, kind.mlp, visit);
    if (llm.residualStreams > 0)
        ofHyperConnections(llm, visit);
    if (kind.norms > 0)
        visit(Tensor{Part::Norm, TensorRole::Vector, normWidth(llm), 1, kind.norms, 0});
}

} // namespace tensors

// What stands outside the layers. A tied head is not a tensor of its own.
template <typename Visit>
void forEachOuterTensor(const Llm& llm, Visit&& visit)
{
    visit(Tensor{Part::Embedding, TensorRole::Table, llm.vocab, llm.hidden, 1, llm.vocab});
    if (llm.learnedPositions > 0)
        visit(Tensor{Part::Embedding, TensorRole::Positions, llm.learnedPositions, llm.hidden, 1, 0});
    const std::int64_t norms = (llm.embeddingNorm ? 1 : 0) + (llm.finalNorm ? 1 : 0);
    if (norms > 0)
        visit(Tensor{Part::Norm, TensorRole::Vector, normWidth(llm), 1, norms, 0});
    if (llm.residualStreams > 0)
        visit(Tensor{Part::Norm, TensorRole::Vector, tensors::hyperHead(llm), 1, 1, 0});
    if (!llm.tiedHead) {
        visit(Tensor{Part::Head, TensorRole::Head, llm.vocab, llm.hidden, 1, llm.vocab});
        if (llm.headBias)
            visit(Tensor{Part::Head, TensorRole::Vector, llm.vocab, 1, 1, llm.vocab});
    }
}

} // namespace headroom
