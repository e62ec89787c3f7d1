#include "work.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace headroom::twin {

namespace {

using Mixer = LayerSpec::Mixer;

double convolutionWidth(const LayerSpec& l)
{
    if (l.mixer == Mixer::Mamba1)
        return l.inner;
    if (l.mixer == Mixer::Mamba2)
        return l.inner + 2 * l.groups * l.state;
    return l.mixer == Mixer::DeltaNet ? 2 * l.keyHeads * l.stateKeyDim + l.stateHeads * l.stateValueDim : 0;
}

double stateValues(const LayerSpec& l)
{
    switch (l.mixer) {
    case Mixer::Mamba1:
    case Mixer::Mamba2:
        return l.inner * l.state;
    case Mixer::DeltaNet:
        return l.stateHeads * l.stateValueDim * l.stateKeyDim;
    case Mixer::Lightning:
        return l.heads * l.headDim * l.headDim;
    default:
        return 0;
    }
}

// Share of a layer's cached heads that the fullest rank holds; a latent is whole on every rank.
double cacheShare(const LayerSpec& l, int ranks)
{
    return l.mixer == Mixer::Attention ? std::ceil(l.kvHeads / ranks) / l.kvHeads : 1;
}
double stateShare(const LayerSpec& l, int ranks)
{
    const double units = l.mixer == Mixer::Mamba1 ? l.inner
        : l.mixer == Mixer::Lightning             ? l.heads
                                                  : l.stateHeads;
    return units > 0 ? std::ceil(units / ranks) / units : 1;
}

// Layers of a kind see the same number of keys: each kind is walked through once.
class KeysSeen {
public:
    explicit KeysSeen(const Step& step) : m_step(step) {}
    double of(const LayerSpec& l)
    {
        const std::array<double, 3> key{l.window, l.chunk, l.topK};
        const auto found = m_known.find(key);
        if (found != m_known.end())
            return found->second;
        return m_known[key] = meanKeys(l, m_step.past, m_step.promptTokens);
    }

private:
    const Step& m_step;
    std::map<std::array<double, 3>, double> m_known;
};

// Of one token in a latent layer. Beside an indexer vLLM keeps an 8-bit cache as fp8_ds_mla: values with an
// fp32 scale for each 128, the rotated ones in 16 bit.
double latentBytes(const LayerSpec& l, double valueBytes)
{
    const bool eight = valueBytes == 1;
    return l.indexHeads > 0 && eight ? l.latent + std::ceil(l.latent / 128) * 4 + 2 * l.rope
                                     : (l.latent + l.rope) * valueBytes;
}

// Attention, indexer and recurrence of one layer in one step.
void mix(Work& work, const LayerSpec& l, double valueBytes, int ranks, const Step& s, KeysSeen& keys)
{
    const double rows = s.prompts * s.promptTokens;
    const double seen = s.context + 1; // the new token sees itself
    if (l.mixer == Mixer::Attention) {
        const double perKey = 2 * l.heads * (l.headDim + l.valueDim) / ranks;
        work.attentionFlops += perKey * (rows * keys.of(l) + s.decodes * std::min(seen, tokensHeld(l, seen)));
        const double width = cachedValues(l) * cacheShare(l, ranks) * valueBytes;
        work.cacheBytes += s.decodes * (tokensHeld(l, seen) + 1) * width;
    } else if (l.mixer == Mixer::Latent) {
        const double far = l.topK > 0 ? std::min(seen, l.topK) : seen;
        // Prompts unfold keys and values; decodes stay in the latent.
        work.attentionFlops += l.heads / ranks
            * (2 * (l.nope + l.rope + l.valueDim) * rows * keys.of(l)
               + 2 * (2 * l.latent + l.rope) * s.decodes * far);
        work.cacheBytes += s.decodes * (far + 1) * latentBytes(l, valueBytes);
        LayerSpec all = l;
        all.topK = 0;
        const double pairs = rows * keys.of(all) + s.decodes * s.context;
        work.indexFlops += 2 * l.indexHeads * l.indexDim * pairs;
        // vLLM's indexer cache: a byte for each value and an fp32 scale for each key.
        work.indexBytes += l.indexHeads > 0 ? s.decodes * s.context * (l.indexDim + 4) : 0;
    } else if (l.mixer != Mixer::None) {
        const double share = stateShare(l, ranks);
        // A token updates the state and reads it: two multiply-adds for each value, and the short
        // convolution.
        work.attentionFlops
            += (rows + s.decodes) * (4 * stateValues(l) * share + 2 * convolutionWidth(l) * l.taps * share);
        // Prompts go block by block: products of keys, the corrected keys and values, and the outputs of a
        // block.
        if (l.mixer == Mixer::DeltaNet)
            work.attentionFlops += rows * share * l.stateHeads
                * (2 * 64 * (2 * l.stateKeyDim + l.stateValueDim)
                   + 2 * 64 * (l.stateKeyDim + l.stateValueDim));
        work.stateTraffic += 2 * s.decodes * stateValues(l) * l.stateBytes * share;
    }
}

} // namespace

double cachedValues(const LayerSpec& l)
{
    if (l.mixer == Mixer::Attention)
        return l.kvHeads * (l.headDim + l.valueDim);
    return l.mixer == Mixer::Latent ? l.latent + l.rope : 0;
}

double stateBytes(const LayerSpec& l)
{
    // The convolution's tail is one shorter than its taps and stays in 16 bit.
    const double tail = l.taps > 0 ? convolutionWidth(l) * (l.taps - 1) * 2 : 0;
    return stateValues(l) * l.stateBytes + tail;
}

double tokensHeld(const LayerSpec& l, double context)
{
    const double most = l.window > 0 ? l.window : l.chunk;
    return most > 0 ? std::min(context, most) : context;
}

double cacheBytesPerToken(const ModelSpec& model, double valueBytes)
{
    double sum = 0;
    for (const LayerSpec& layer : model.layers)
        sum += cachedValues(layer) / layer.shareGroup * valueBytes;
    return sum;
}

double cacheBytes(const ModelSpec& model, double valueBytes, double context)
{
    return cacheBytesPerGpu(model, valueBytes, {}, 0, context);
}

double cacheBytesPerGpu(const ModelSpec& model, double valueBytes, const Spread& spread, int stage,
                        double context)
{
    const Layers here = stageOf(static_cast<int>(model.layers.size()), spread.stages, stage);
    double sum = 0;
    for (int i = here.first; i < here.end; ++i) {
        const LayerSpec& layer = model.layers[static_cast<std::size_t>(i)];
        sum += cachedValues(layer) * cacheShare(layer, spread.tensor) / layer.shareGroup * valueBytes
            * tokensHeld(layer, context);
        sum += stateBytes(layer) * stateShare(layer, spread.tensor);
    }
    return sum;
}

double meanKeys(const LayerSpec& l, double past, double tokens)
{
    if (tokens <= 0)
        return 0;
    const double most = l.window > 0 ? l.window : l.topK;
    double sum = 0;
    for (double i = 0; i < tokens; ++i) { // position by position: slow, and plain
        const double position = past + i;
        if (l.chunk > 0)
            sum += std::fmod(position, l.chunk) + 1;
        else
            sum += most > 0 ? std::min(position + 1, most) : position + 1;
    }
    return sum / tokens;
}

double expertsChosen(double experts, double chosen, double tokens)
{
    if (experts <= chosen)
        return experts;
    // Shares p of the tokens with density b (1 - p)^(b - 1): their mean is chosen / experts. Midpoints of
    // equal slices of the experts, from the most popular to the least.
    const double b = experts / chosen - 1;
    constexpr int slices = 4000;
    double missed = 0;
    for (int i = 0; i < slices; ++i) {
        const double share = 1 - std::pow((i + 0.5) / slices, 1 / b);
        missed += std::pow(1 - share, tokens);
    }
    return experts * (1 - missed / slices);
}

Work workOf(const ModelSpec& model, const std::string& type, double valueBytes, const Spread& spread,
            int stage, const Step& step)
{
    const Layers here = stageOf(static_cast<int>(model.layers.size()), spread.stages, stage);
    const bool last = stage == spread.stages - 1;
    Work work;
    double known = -1; // layers of experts are mostly alike
    LayerSpec of;
    for (const Tensor& t : tensorsOf(model)) {
        const bool head = t.name == "output" || (t.name == "token_embd" && model.tied);
        const bool multiplies = !t.isVector() && (t.layer >= 0 || (head && last && step.sampled() > 0));
        if (!multiplies || (t.layer >= 0 && (t.layer < here.first || t.layer >= here.end)))
            continue;
        double share = shareOf(t, spread);
        double elements = t.elements() * share;
        double bytes = storedBytes(model, t, type) * share;
        if (t.expert) {
            const LayerSpec& layer = model.layers[static_cast<std::size_t>(t.layer)];
            if (known < 0 || layer.experts != of.experts || layer.chosen != of.chosen) {
                known = expertsChosen(layer.experts, layer.chosen, step.tokens()) / layer.experts;
                of = layer;
            }
            elements *= layer.chosen / layer.experts;
            bytes *= known;
        }
        const bool narrow = bytes > 0 && storedBytes(model, t, type) < 1.9 * t.elements();
        (narrow ? work.matrixFlops : work.keptFlops)
            += 2 * elements * (head && t.layer < 0 ? step.sampled() : step.tokens());
        work.weightBytes += bytes;
        // Cached latents of a prompt's earlier chunks are unfolded again.
        if (t.name == "attn_kv_b")
            (narrow ? work.matrixFlops : work.keptFlops) += 2 * elements * step.prompts * step.past;
    }
    KeysSeen keys(step);
    for (int i = here.first; i < here.end; ++i)
        mix(work, model.layers[static_cast<std::size_t>(i)], valueBytes, spread.tensor, step, keys);
    return work;
}

double floorSeconds(const Work& work, const Machine& machine)
{
    const double computing = work.matrixFlops / machine.matrixPeak
        + (work.keptFlops + work.attentionFlops) / machine.sixteenPeak + work.indexFlops / machine.indexPeak;
    return std::max(work.bytes() / machine.bandwidth, computing);
}

} // namespace headroom::twin
