#include "model/memory/activation.h"

#include "model/count/tensors.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr double activationBytesPerValue = 2; // bf16 and fp16 alike
constexpr double logitBytes = 4;

double mixerOutputs(const Mixer& mixer, int tp)
{
    const double heads = mixer.queryHeads;
    switch (mixer.kind) {
    case MixerKind::None:
        return 0;
    case MixerKind::Attention: { // q, k, v, the gate, and what attention writes
        const double query = heads * mixer.headDim * (mixer.outputGate ? 2 : 1);
        const double kv
            = std::max(static_cast<double>(mixer.kvHeads) / tp, 1.0) * (mixer.headDim + valueWidth(mixer));
        return (query + heads * valueWidth(mixer)) / tp + kv;
    }
    case MixerKind::Mla: { // the latents, q, k and v unfolded for prefill, and what attention writes
        const double unfolded
            = heads * (2.0 * (mixer.qkNopeDim + mixer.qkRopeDim) + 2.0 * mixer.valueHeadDim);
        return mixer.qLoraRank + mixer.kvLoraRank + mixer.qkRopeDim + unfolded / tp;
    }
    case MixerKind::Mamba1:
        return 4.0 * mixer.innerDim / tp; // x and z, x after the convolution, y
    case MixerKind::Mamba2:
        return (4.0 * mixer.innerDim + mixer.stateHeads + 4.0 * mixer.groups * mixer.stateDim) / tp;
    case MixerKind::DeltaNet: {
        const double keys = static_cast<double>(mixer.stateKeyHeads) * mixer.stateKeyDim;
        const double values = static_cast<double>(mixer.stateHeads) * mixer.stateValueDim;
        return (4 * keys + 4 * values) / tp; // q and k, v, z, the convolved three, and what the scan writes
    }
    case MixerKind::Lightning:
        return (mixer.outputGate ? 5.0 : 4.0) * heads * mixer.headDim / tp;
    case MixerKind::Compressed: { // q and what attention writes, the latents, keys and gates to be merged
        const double merged = 2.0 * compressorWidths(mixer) * (mixer.headDim + mixer.indexHeadDim);
        return 2 * heads * mixer.headDim / tp + mixer.qLoraRank + mixer.headDim
            + double(mixer.outGroups) * mixer.outLoraRank / tp + (mixer.compression > 0 ? merged : 0);
    }
    }
    return 0;
}

double mlpOutputs(const Llm& llm, const Mlp& mlp, const Layout& layout)
{
    const double inputs = mlp.gated ? 2 : 1;
    if (mlp.kind == MlpKind::Dense)
        return (inputs + 1) * static_cast<double>(mlp.intermediate) / layout.tp;
    if (mlp.kind != MlpKind::Moe)
        return 0;
    // Each GPU meets its share of the chosen pairs of token and expert; each pair has a row in, two inside
    // and one out.
    const double split = static_cast<double>(layout.dp) * layout.tp / layout.ep;
    const double pairs = static_cast<double>(mlp.expertsPerToken) / layout.ep;
    const auto stream = static_cast<double>(mlp.latent > 0 ? mlp.latent : llm.hidden);
    const double pair = (inputs + 1) * static_cast<double>(mlp.expertIntermediate) / split + stream;
    const double shared = (inputs + 1) * static_cast<double>(mlp.sharedIntermediate) / layout.tp;
    const double routerLogits = 2.0 * mlp.experts; // fp32: two 16-bit values each
    return pairs * pair + shared + routerLogits;
}

} // namespace

double liveValuesPerToken(const Llm& llm, const LayerKind& kind, const Layout& layout)
{
    const auto residualAndInput = (1.0 + std::max(1, llm.residualStreams)) * static_cast<double>(llm.hidden);
    const double mixer = mixerOutputs(kind.mixer, layout.tp);
    const double mlp = mlpOutputs(llm, kind.mlp, layout);
    return residualAndInput + (kind.parallel ? mixer + mlp : std::max(mixer, mlp));
}

Bytes activationBytes(const Llm& llm, const Layout& layout, const ActivationDemand& demand)
{
    double widest = 0;
    for (const LayerKind& kind : llm.kinds)
        widest = std::max(widest, liveValuesPerToken(llm, kind, layout));
    const double layers = demand.batchedTokens * widest * activationBytesPerValue;
    if (!demand.lastStage)
        return Bytes(layers);
    const double hidden = demand.batchedTokens * static_cast<double>(llm.hidden) * activationBytesPerValue;
    const double logits
        = demand.sampledRows * static_cast<double>(llm.vocab) * logitBytes * demand.logitsCopies;
    return Bytes(std::max(layers, hidden + logits));
}

Bytes computeBufferBytes(const Llm& llm, double tokens)
{
    constexpr double bytesPerValue = 4;
    constexpr double rows = 2;
    return Bytes(tokens * bytesPerValue
                 * (static_cast<double>(llm.vocab) + rows * static_cast<double>(llm.hidden)));
}

} // namespace headroom
