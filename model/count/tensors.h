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

template <typename Visit>
void ofAttention(std::int64_t hidden, const Mixer& mixer, Visit&& visit)
{
    const std::int64_t query = std::int64_t{mixer.queryHeads} * mixer.headDim;
    const std::int64_t keys = std::int64_t{mixer.kvHeads} * mixer.headDim;
    const std::int64_t values = mixer.valueIsKey ? 0 : std::int64_t{mixer.kvHeads} * valueWidth(mixer);
    const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
        if (rows > 0)
            visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
    };
    tensor(TensorRole::Linear, mixer.outputGate ? 2 * query : query, hidden, mixer.queryHeads);
    tensor(TensorRole::Key, keys, hidden, mixer.kvHeads);
    tensor(TensorRole::Value, values, hidden, mixer.kvHeads);
    tensor(TensorRole::AttentionOut, hidden, std::int64_t{mixer.queryHeads} * valueWidth(mixer),
           mixer.queryHeads);
    if (mixer.qkvBias) {
        tensor(TensorRole::Vector, query, 1, mixer.queryHeads);
        tensor(TensorRole::Vector, keys + values, 1, mixer.kvHeads);
    }
    if (mixer.outBias)
        tensor(TensorRole::Vector, hidden, 1, 0);
    if (mixer.qkNorm == QkNorm::PerHead)
        tensor(TensorRole::Vector, 2 * std::int64_t{mixer.headDim}, 1, 0);
    if (mixer.qkNorm == QkNorm::FullWidth || mixer.qkNorm == QkNorm::PerHeadWeights) {
        tensor(TensorRole::Vector, query, 1, mixer.queryHeads);
        tensor(TensorRole::Vector, keys, 1, mixer.kvHeads);
    }
    if (mixer.sinks)
        tensor(TensorRole::Vector, mixer.queryHeads, 1, mixer.queryHeads);
}

// DeepSeek-V2 (arXiv 2405.04434 §2.1); the indexer of DeepSeek-V3.2 has a LayerNorm with bias on its one key.
template <typename Visit>
void ofMla(std::int64_t hidden, const Mixer& mixer, Visit&& visit)
{
    const std::int64_t heads = mixer.queryHeads;
    const std::int64_t query = heads * (mixer.qkNopeDim + mixer.qkRopeDim);
    const std::int64_t queryInput = mixer.qLoraRank > 0 ? mixer.qLoraRank : hidden;
    const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
        visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
    };
    if (mixer.qLoraRank > 0) {
        tensor(TensorRole::Linear, mixer.qLoraRank, hidden, 0);
        tensor(TensorRole::Vector, mixer.qLoraRank, 1, 0);
    }
    tensor(TensorRole::Linear, query, queryInput, heads);
    tensor(TensorRole::Linear, mixer.kvLoraRank + mixer.qkRopeDim, hidden, 0);
    tensor(TensorRole::Vector, mixer.kvLoraRank, 1, 0);
    tensor(TensorRole::Linear, heads * (mixer.qkNopeDim + mixer.valueHeadDim), mixer.kvLoraRank, heads);
    tensor(TensorRole::AttentionOut, hidden, heads * mixer.valueHeadDim, heads);
    if (mixer.indexHeads > 0) {
        tensor(TensorRole::Linear, std::int64_t{mixer.indexHeads} * mixer.indexHeadDim, queryInput, 0);
        tensor(TensorRole::Linear, mixer.indexHeadDim, hidden, 0);
        tensor(TensorRole::Vector, 2 * std::int64_t{mixer.indexHeadDim}, 1, 0);
        tensor(TensorRole::KeptLinear, mixer.indexHeads, hidden, 0);
    }
}

template <typename Visit>
void ofMamba(std::int64_t hidden, const Mixer& mixer, Visit&& visit)
{
    const std::int64_t inner = mixer.innerDim;
    const std::int64_t state = mixer.stateDim;
    const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
        visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
    };
    const std::int64_t tapsAndBias = mixer.convKernel + (mixer.convBias ? 1 : 0);
    if (mixer.kind == MixerKind::Mamba1) { // arXiv 2312.00752
        tensor(TensorRole::Linear, 2 * inner, hidden, inner);
        tensor(TensorRole::Vector, inner, tapsAndBias, inner);
        tensor(TensorRole::Linear, mixer.dtRank + 2 * state, inner, inner);
        tensor(TensorRole::Linear, inner, mixer.dtRank, inner);
        tensor(TensorRole::Vector, inner, state + 2, inner); // A, D and the bias of dt
        if (mixer.innerNorms)
            tensor(TensorRole::Vector, mixer.dtRank + 2 * state, 1, 0);
        tensor(TensorRole::Linear, hidden, inner, inner);
        return;
    }
    const std::int64_t heads = mixer.stateHeads;                         // Mamba-2: arXiv 2405.21060
    const std::int64_t grouped = 2 * std::int64_t{mixer.groups} * state; // B and C
    tensor(TensorRole::Linear, 2 * inner + heads, hidden, heads);        // z, x, dt
    tensor(TensorRole::Linear, grouped, hidden, mixer.groups);
    tensor(TensorRole::Vector, inner, tapsAndBias, heads);
    tensor(TensorRole::Vector, grouped, tapsAndBias, mixer.groups);
    tensor(TensorRole::Vector, 3 * heads, 1, heads); // A, D and the bias of dt
    tensor(TensorRole::Vector, inner, 1, heads);     // gated norm
    tensor(TensorRole::Linear, hidden, inner, heads);
}

// Gated delta rule as in Qwen3-Next: q and k by key head; v, z, beta and the decay by value head.
template <typename Visit>
void ofDeltaNet(std::int64_t hidden, const Mixer& mixer, Visit&& visit)
{
    const std::int64_t keys = std::int64_t{mixer.stateKeyHeads} * mixer.stateKeyDim;
    const std::int64_t values = std::int64_t{mixer.stateHeads} * mixer.stateValueDim;
    const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
        visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
    };
    tensor(TensorRole::Linear, 2 * keys, hidden, mixer.stateKeyHeads);
    tensor(TensorRole::Linear, 2 * values, hidden, mixer.stateHeads);
    tensor(TensorRole::Linear, 2 * std::int64_t{mixer.stateHeads}, hidden, mixer.stateHeads);
    tensor(TensorRole::Vector, 2 * keys, mixer.convKernel, mixer.stateKeyHeads);
    tensor(TensorRole::Vector, values, mixer.convKernel, mixer.stateHeads);
    tensor(TensorRole::Vector, 2 * std::int64_t{mixer.stateHeads}, 1, mixer.stateHeads);
    tensor(TensorRole::Vector, mixer.stateValueDim, 1, 0);
    tensor(TensorRole::Linear, hidden, values, mixer.stateHeads);
}

// Lightning attention of MiniMax-01 (arXiv 2501.08313): q, k, v, an output gate, a norm of the output.
template <typename Visit>
void ofLightning(std::int64_t hidden, const Mixer& mixer, Visit&& visit)
{
    const std::int64_t width = std::int64_t{mixer.queryHeads} * mixer.headDim;
    const std::int64_t projections = mixer.outputGate ? 4 : 3;
    visit(Tensor{Part::Mixer, TensorRole::Linear, projections * width, hidden, 1, mixer.queryHeads});
    visit(Tensor{Part::Mixer, TensorRole::Vector, width, 1, 1, mixer.queryHeads});
    visit(Tensor{Part::Mixer, TensorRole::AttentionOut, hidden, width, 1, mixer.queryHeads});
}

// DeepSeek-V4 (transformers, modular_deepseek_v4.py): low-rank queries, one key that is the value too, a
// compressor of keys, an indexer with a compressor of its own, and an output projection in groups.
template <typename Visit>
void ofCompressed(std::int64_t hidden, const Mixer& mixer, Visit&& visit)
{
    const std::int64_t query = std::int64_t{mixer.queryHeads} * mixer.headDim;
    const std::int64_t outInner = std::int64_t{mixer.outGroups} * mixer.outLoraRank;
    const auto tensor = [&](TensorRole role, std::int64_t rows, std::int64_t cols, std::int64_t units) {
        visit(Tensor{Part::Mixer, role, rows, cols, 1, units});
    };
    const auto compressor = [&](std::int64_t width) { // keys, gates, a bias for each merged place, a norm
        const std::int64_t computed = compressorWidths(mixer) * width;
        tensor(TensorRole::KeptLinear, 2 * computed, hidden, 0);
        tensor(TensorRole::Vector, mixer.compression, computed, 0);
        tensor(TensorRole::Vector, width, 1, 0);
    };
    tensor(TensorRole::Linear, mixer.qLoraRank, hidden, 0);
    tensor(TensorRole::Vector, mixer.qLoraRank, 1, 0);
    tensor(TensorRole::Linear, query, mixer.qLoraRank, mixer.queryHeads);
    tensor(TensorRole::Linear, mixer.headDim, hidden, 0);
    tensor(TensorRole::Vector, mixer.headDim, 1, 0);
    tensor(TensorRole::Linear, outInner, query / mixer.outGroups, mixer.outGroups);
    tensor(TensorRole::AttentionOut, hidden, outInner, mixer.outGroups);
    tensor(TensorRole::Vector, mixer.queryHeads, 1, mixer.queryHeads); // sinks
    if (mixer.compression > 0)
        compressor(mixer.headDim);
    if (mixer.indexHeads > 0) {
        compressor(mixer.indexHeadDim);
        tensor(TensorRole::Linear, std::int64_t{mixer.indexHeads} * mixer.indexHeadDim, mixer.qLoraRank, 0);
        tensor(TensorRole::KeptLinear, mixer.indexHeads, hidden, 0);
    }
}

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
void ofMixer(std::int64_t hidden, const Mixer& mixer, Visit&& visit)
{
    switch (mixer.kind) {
    case MixerKind::None:
        return;
    case MixerKind::Attention:
        return ofAttention(hidden, mixer, visit);
    case MixerKind::Mla:
        return ofMla(hidden, mixer, visit);
    case MixerKind::Mamba1:
    case MixerKind::Mamba2:
        return ofMamba(hidden, mixer, visit);
    case MixerKind::DeltaNet:
        return ofDeltaNet(hidden, mixer, visit);
    case MixerKind::Lightning:
        return ofLightning(hidden, mixer, visit);
    case MixerKind::Compressed:
        return ofCompressed(hidden, mixer, visit);
    }
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

} // namespace tensors

// Visits every kind of tensor of one layer once: the one place that says what a layer is made of.
template <typename Visit>
void forEachTensor(const Llm& llm, const LayerKind& kind, Visit&& visit)
{
    tensors::ofMixer(llm.hidden, kind.mixer, visit);
    if (kind.mlp.kind == MlpKind::Dense)
        tensors::ofDenseMlp(llm.hidden, kind.mlp, Part::DenseMlp, kind.mlp.intermediate, visit);
    else if (kind.mlp.kind == MlpKind::Moe)
        tensors::ofMoe(llm.hidden, kind.mlp, visit);
    if (llm.residualStreams > 0)
        tensors::ofHyperConnections(llm, visit);
    if (kind.norms > 0)
        visit(Tensor{Part::Norm, TensorRole::Vector, normWidth(llm), 1, kind.norms, 0});
}

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
