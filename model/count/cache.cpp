#include "model/count/cache.h"

#include "model/count/tensors.h"
#include "model/count/weights.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Engines keep the last inputs of the short convolution, and the window of a compressing layer, in 16 bit.
constexpr double convolutionBytes = 2;

// Share of `units` heads or groups that the fullest of `tp` ranks holds.
double rankShare(std::int64_t units, int tp)
{
    if (units <= 0 || tp <= 1)
        return 1;
    return static_cast<double>((units + tp - 1) / tp) / static_cast<double>(units);
}

double roundedToBlocks(const Mixer& mixer, double context, int blockTokens)
{
    const double held = cachedTokens(mixer, context);
    if (blockTokens <= 1)
        return held;
    const double block = blockTokens;
    const double straddling = held < context ? block : 0;
    return std::min(std::ceil(held / block) * block + straddling, std::ceil(context / block) * block);
}

} // namespace

std::int64_t kvElementsPerToken(const Mixer& mixer)
{
    if (mixer.kind == MixerKind::Attention)
        return std::int64_t{mixer.kvHeads} * (mixer.headDim + valueWidth(mixer));
    if (mixer.kind == MixerKind::Mla)
        return mixer.kvLoraRank + mixer.qkRopeDim + (mixer.indexHeads > 0 ? mixer.indexHeadDim : 0);
    if (mixer.kind == MixerKind::Compressed && mixer.compression > 0) // readers refuse what does not divide
        return (mixer.headDim + mixer.indexHeadDim) / mixer.compression;
    return 0;
}

StateElements stateElements(const Mixer& mixer)
{
    const std::int64_t taps = mixer.convKernel;
    switch (mixer.kind) {
    case MixerKind::Mamba1:
        return {std::int64_t{mixer.innerDim} * mixer.stateDim, mixer.innerDim * taps};
    case MixerKind::Mamba2:
        return {std::int64_t{mixer.innerDim} * mixer.stateDim,
                (mixer.innerDim + 2 * std::int64_t{mixer.groups} * mixer.stateDim) * taps};
    case MixerKind::DeltaNet: {
        const std::int64_t keys = std::int64_t{mixer.stateKeyHeads} * mixer.stateKeyDim;
        const std::int64_t values = std::int64_t{mixer.stateHeads} * mixer.stateValueDim;
        return {values * mixer.stateKeyDim, (2 * keys + values) * taps};
    }
    case MixerKind::Lightning:
        return {std::int64_t{mixer.queryHeads} * mixer.headDim * mixer.headDim, 0};
    case MixerKind::Compressed: {
        // Keys and gates of the tokens that are not merged yet, and the window of keys.
        const std::int64_t widths = compressorWidths(mixer);
        return {.recurrent = 2 * widths * widths * mixer.compression * (mixer.headDim + mixer.indexHeadDim),
                .window = mixer.window * mixer.headDim};
    }
    case MixerKind::None:
    case MixerKind::Attention:
    case MixerKind::Mla:
        break;
    }
    return {};
}

std::int64_t cacheCap(const Mixer& mixer)
{
    if (mixer.kind == MixerKind::Compressed)
        return 0;
    return mixer.window > 0 ? mixer.window : mixer.chunk;
}

double cachedTokens(const Mixer& mixer, double context)
{
    const std::int64_t cap = cacheCap(mixer);
    return cap > 0 ? std::min(context, static_cast<double>(cap)) : context;
}

Bytes kvBytesPerElement(DType kv) { return Bytes((facts(kv).bits + facts(kv).scaleBits) / 8); }

LatentBytes latentBytesPerToken(const Mixer& mixer, DType kv)
{
    const double value = kvBytesPerElement(kv).base();
    if (mixer.indexHeads == 0)
        return {(mixer.kvLoraRank + mixer.qkRopeDim) * value, 0};
    constexpr double scaled = 128, scale = 4, half = 2;
    const auto narrow = [&](double values) { return values + std::ceil(values / scaled) * scale; };
    const bool eight = facts(kv).bits == 8;
    const double latent = eight ? narrow(mixer.kvLoraRank) + half * mixer.qkRopeDim
                                : (mixer.kvLoraRank + mixer.qkRopeDim) * value;
    return {latent, narrow(mixer.indexHeadDim)};
}

Bytes layerKvBytesPerToken(const Mixer& mixer, DType kv, int tp)
{
    if (mixer.kind == MixerKind::Mla) {
        const LatentBytes latent = latentBytesPerToken(mixer, kv);
        return Bytes((latent.attended + latent.index) / mixer.kvShareGroup);
    }
    const double split = mixer.kind == MixerKind::Attention ? rankShare(mixer.kvHeads, tp) : 1;
    return static_cast<double>(kvElementsPerToken(mixer)) * split / mixer.kvShareGroup
        * kvBytesPerElement(kv);
}

Bytes layerStateBytes(const Mixer& mixer, int tp)
{
    const StateElements elements = stateElements(mixer);
    if (!elements.any())
        return Bytes{};
    std::int64_t heads = mixer.stateHeads;
    if (mixer.kind == MixerKind::Mamba1)
        heads = mixer.innerDim;
    if (mixer.kind == MixerKind::Lightning)
        heads = mixer.queryHeads;
    // The newest input comes with the token: engines keep one less than the convolution has taps (vLLM's
    // mamba_utils, SGLang's and llama.cpp's caches likewise).
    const double kept = mixer.convKernel > 0 ? 1 - 1.0 / mixer.convKernel : 0;
    return rankShare(heads, tp)
        * Bytes(static_cast<double>(elements.recurrent) * bytesPerElement(mixer.stateType)
                + static_cast<double>(elements.convolution) * kept * convolutionBytes
                + static_cast<double>(elements.window) * convolutionBytes);
}

Bytes kvBytesPerToken(const Llm& llm, DType kv)
{
    Bytes sum;
    for (std::size_t k = 0; k < llm.kinds.size(); ++k)
        sum += static_cast<double>(llm.layersOfKind(k)) * layerKvBytesPerToken(llm.kinds[k].mixer, kv, 1);
    return sum;
}

Bytes stateBytes(const Llm& llm)
{
    Bytes sum;
    for (std::size_t k = 0; k < llm.kinds.size(); ++k)
        sum += static_cast<double>(llm.layersOfKind(k)) * layerStateBytes(llm.kinds[k].mixer, 1);
    return sum;
}

Bytes cacheBytes(const Llm& llm, DType kv, double context)
{
    return cacheBytesPerGpu(llm, kv, Layout{}, 0, context, 0);
}

Bytes cacheBytesPerGpu(const Llm& llm, DType kv, const Layout& layout, int stage, double context,
                       int blockTokens)
{
    Bytes sum;
    const StageRange range = stageRange(static_cast<int>(llm.layerCount()), layout.pp, stage);
    for (std::size_t k = 0; k < llm.kinds.size(); ++k) {
        const Mixer& mixer = llm.kinds[k].mixer;
        const auto layers = static_cast<double>(llm.layersOfKind(k, range.first, range.end));
        sum += layers
            * (layerKvBytesPerToken(mixer, kv, layout.tp) * roundedToBlocks(mixer, context, blockTokens)
               + layerStateBytes(mixer, layout.tp));
    }
    return sum;
}

} // namespace headroom
