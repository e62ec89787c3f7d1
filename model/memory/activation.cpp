#include "model/memory/activation.h"

#include "model/count/mixer_count.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr double activationBytesPerValue = 2; // bf16 and fp16 alike
constexpr double logitBytes = 4;

double mlpOutputs(const Llm& llm, const Mlp& mlp, const Layout& layout)
{
    const double inputs = mlp.gated ? 2 : 1;
    if (mlp.kind == MlpKind::Dense)
        return (inputs + 1) * static_cast<double>(mlp.intermediate) / layout.tp;
    if (mlp.kind != MlpKind::Moe)
        return 0;
    // Each pair of token and expert has a row in, two inside and one out. Ranks that send tokens to those
    // that hold their experts meet their share of the pairs; where all have all tokens, kernels lay out rows
    // for every pair, whoever holds its expert (intermediate_cache13 of vLLM's fused_marlin_moe.py, of M x
    // top-k rows beside an expert_map).
    const double split = static_cast<double>(layout.dp) * layout.tp / layout.ep;
    const double pairs = static_cast<double>(mlp.expertsPerToken) / (layout.dp > 1 ? layout.ep : 1);
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
    const double mixer
        = ofMixer(kind.mixer, [&](const MixerCount& count) { return count.liveValues(layout.tp); });
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
