#include "model/count/cache.h"

#include "model/count/layer_counts.h"
#include "model/count/mixer_count.h"
#include "model/count/rank_share.h"
#include "model/count/weights.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Engines keep the last inputs of the short convolution, and the window of a compressing layer, in 16 bit.
constexpr double convolutionBytes = 2;

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
    return ofMixer(mixer, [](const MixerCount& count) { return count.kvElementsPerToken(); });
}

StateElements stateElements(const Mixer& mixer)
{
    return ofMixer(mixer, [](const MixerCount& count) { return count.stateElements(); });
}

std::int64_t cacheCap(const Mixer& mixer)
{
    return ofMixer(mixer, [](const MixerCount& count) { return count.cacheCap(); });
}

double cachedTokens(const Mixer& mixer, double context)
{
    const std::int64_t cap = cacheCap(mixer);
    return cap > 0 ? std::min(context, static_cast<double>(cap)) : context;
}

Bytes kvBytesPerElement(DType kv) { return Bytes((facts(kv).bits + facts(kv).scaleBits) / 8); }

LatentBytes latentBytesPerToken(const Mla& mixer, DType kv)
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
    return ofMixer(mixer, [&](const MixerCount& count) { return count.layerKvBytesPerToken(kv, tp); });
}

Bytes layerStateBytes(const Mixer& mixer, int tp)
{
    const StateElements elements = stateElements(mixer);
    if (!elements.any())
        return Bytes{};
    // The newest input comes with the token: engines keep one less than the convolution has taps (vLLM's
    // mamba_utils, SGLang's and llama.cpp's caches likewise).
    const double kept = elements.taps > 0 ? 1 - 1.0 / elements.taps : 0;
    return shareOfFullest(elements.units, tp)
        * Bytes(static_cast<double>(elements.recurrent) * bytesPerElement(elements.type)
                + static_cast<double>(elements.convolution) * kept * convolutionBytes
                + static_cast<double>(elements.window) * convolutionBytes);
}

Bytes kvBytesPerToken(const Llm& llm, DType kv)
{
    Bytes sum;
    const LayerCounts counts = layerCounts(llm);
    for (std::size_t k = 0; k < llm.kinds.size(); ++k)
        sum += static_cast<double>(counts[k]) * layerKvBytesPerToken(llm.kinds[k].mixer, kv, 1);
    return sum;
}

Bytes stateBytes(const Llm& llm)
{
    Bytes sum;
    const LayerCounts counts = layerCounts(llm);
    for (std::size_t k = 0; k < llm.kinds.size(); ++k)
        sum += static_cast<double>(counts[k]) * layerStateBytes(llm.kinds[k].mixer, 1);
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
    const LayerCounts counts = layerCounts(llm, range.first, range.end);
    for (std::size_t k = 0; k < llm.kinds.size(); ++k) {
        const Mixer& mixer = llm.kinds[k].mixer;
        const double layers = counts[k];
        sum += layers
            * (layerKvBytesPerToken(mixer, kv, layout.tp) * roundedToBlocks(mixer, context, blockTokens)
               + layerStateBytes(mixer, layout.tp));
    }
    return sum;
}

} // namespace headroom
