#include "model/count/weights.h"

#include "model/count/counted.h"
#include "model/count/layer_counts.h"
#include "model/count/rank_share.h"
#include "model/count/storage.h"
#include "model/count/tensors.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace headroom {

namespace {

// vLLM and SGLang pad the vocabulary to a multiple of this before they split it (DEFAULT_VOCAB_PADDING_SIZE).
constexpr std::int64_t vocabPadding = 64;

Bytes& partOf(WeightBytes& sum, const Tensor& tensor)
{
    if (tensor.role == TensorRole::Vector && tensor.part != Part::Experts
        && tensor.part != Part::SharedExperts)
        return sum.other;
    switch (tensor.part) {
    case Part::Embedding:
        return sum.embedding;
    case Part::Mixer:
    case Part::DenseMlp:
        return sum.linear;
    case Part::Experts:
        return sum.experts;
    case Part::SharedExperts:
        return sum.sharedExperts;
    case Part::Head:
        return sum.head;
    case Part::Router:
    case Part::Norm:
        break;
    }
    return sum.other;
}

// A layer's place in the stack, as far as llama.cpp's mixtures tell layers apart.
struct Place {
    bool betterValue = false;
    bool betterDown = false;
    bool early = false;
};
constexpr std::size_t placeCount = 8;
constexpr std::size_t index(Place place)
{
    return (place.betterValue ? 1U : 0U) + (place.betterDown ? 2U : 0U) + (place.early ? 4U : 0U);
}
constexpr Place placeAt(std::size_t i) { return {(i & 1U) != 0, (i & 2U) != 0, (i & 4U) != 0}; }

Place place(DType type, int layer, int layers, int attentionLayer, int attentionLayers)
{
    if (type == DType::Q3_K_M)
        return {attentionLayer < 2, false, layer < layers / 16};
    return {usesMoreBits(attentionLayer, attentionLayers), usesMoreBits(layer, layers), false};
}

// As the fullest rank holds them.
WeightBytes layerWeights(const LayerKind& kind, const StorageRules& rules, const Layout& layout)
{
    WeightBytes sum;
    forEachTensor(*rules.llm, kind, [&](const Tensor& tensor) {
        partOf(sum, tensor) += Bytes(storedBytes(tensor, rules) * rankShare(tensor, layout));
    });
    return sum;
}

StorageRules rulesAt(const StorageRules& base, Place at)
{
    StorageRules rules = base;
    rules.betterValue = at.betterValue;
    rules.betterDown = at.betterDown;
    rules.earlyLayer = at.early;
    return rules;
}

// The same of tensors whose bytes are known.
WeightBytes summed(const CountedLlm& llm, const std::vector<double>& bytes, CountedLlm::Kind kind,
                   const Layout& layout)
{
    WeightBytes sum;
    for (std::size_t i = kind.first; i < kind.end; ++i)
        partOf(sum, llm.tensors[i]) += Bytes(bytes[i] * rankShare(llm.tensors[i], layout));
    return sum;
}

// Layers of a range whose kinds' bytes do not depend on their place.
WeightBytes uniformLayers(const StorageRules& rules, const Layout& layout, StageRange range)
{
    WeightBytes sum;
    const Llm& llm = *rules.llm;
    const LayerCounts counts = layerCounts(llm, range.first, range.end);
    const CountedLlm* const known = rules.asLoaded ? llm.counted.get() : nullptr;
    for (std::size_t k = 0; k < llm.kinds.size(); ++k)
        if (const double layers = counts[k]; layers > 0)
            sum = sum
                + layers
                    * (known != nullptr
                           ? summed(*known, known->storedAs(rules.type).bytes, known->kinds[k], layout)
                           : layerWeights(llm.kinds[k], rules, layout));
    return sum;
}

bool hasValue(const Llm& llm, std::uint8_t kind)
{
    return std::holds_alternative<Attention>(llm.kinds[kind].mixer);
}

// The layers of a range under a mixture, those that are stored alike together: take(kind, rules, times).
template <typename Take>
void forEachPlace(const StorageRules& rules, StageRange range, const Take& take)
{
    const Llm& llm = *rules.llm;
    const auto layers = static_cast<int>(llm.layerCount());
    int attentionLayers = 0;
    for (const std::uint8_t kind : llm.layers)
        attentionLayers += hasValue(llm, kind) ? 1 : 0;
    for (std::size_t k = 0; k < llm.kinds.size(); ++k) {
        std::array<int, placeCount> times{};
        int attentionLayer = 0;
        for (int layer = 0; layer < range.end; ++layer) {
            const std::uint8_t kind = llm.layers[static_cast<std::size_t>(layer)];
            if (layer >= range.first && kind == k)
                ++times[index(place(rules.type, layer, layers, attentionLayer, attentionLayers))];
            attentionLayer += hasValue(llm, kind) ? 1 : 0;
        }
        for (std::size_t i = 0; i < placeCount; ++i)
            if (times[i] > 0)
                take(llm.kinds[k], rulesAt(rules, placeAt(i)), times[i]);
    }
}

WeightBytes mixedLayers(const StorageRules& rules, const Layout& layout, StageRange range)
{
    WeightBytes sum;
    forEachPlace(rules, range, [&](const LayerKind& kind, const StorageRules& at, int times) {
        sum = sum + times * layerWeights(kind, at, layout);
    });
    return sum;
}

WeightBytes layersOf(const StorageRules& rules, const Layout& layout, StageRange range)
{
    return mixesByLayer(rules.type) ? mixedLayers(rules, layout, range) : uniformLayers(rules, layout, range);
}

// What the first and the last stage hold beside layers, on the fullest rank.
WeightBytes outerPerGpu(const StorageRules& rules, const Layout& layout, bool first, bool last)
{
    WeightBytes sum;
    const Llm& llm = *rules.llm;
    forEachOuterTensor(llm, [&](Tensor tensor) {
        const bool tiedCopy = tensor.role == TensorRole::Table && llm.tiedHead && last && !first;
        const bool here = tensor.part == Part::Embedding ? first || tiedCopy : last;
        if (!here)
            return;
        if (tensor.role == TensorRole::Table || tensor.role == TensorRole::Head) {
            tensor.rows = ceilDivide(ceilDivide(tensor.rows, vocabPadding) * vocabPadding, layout.tp);
            tensor.units = 0;
        }
        const Bytes bytes(storedBytes(tensor, rules) * rankShare(tensor, layout));
        (tiedCopy ? sum.head : partOf(sum, tensor)) += bytes;
    });
    return sum;
}

// Every tensor of the layers, where bytes do not depend on their place, with how many layers have it. Kinds
// that follow one another with the same mixer have its tensors in common.
template <typename Take>
void forEachUniformTensor(const Llm& llm, const Take& take)
{
    const LayerCounts counts = layerCounts(llm);
    int mixed = 0;
    for (std::size_t k = 0; k < llm.kinds.size(); ++k) {
        const LayerKind& kind = llm.kinds[k];
        tensors::besideMixer(llm, kind, [&](const Tensor& tensor) { take(tensor, counts[k]); });
        mixed += counts[k];
        if (k + 1 < llm.kinds.size() && llm.kinds[k + 1].mixer == kind.mixer)
            continue;
        forEachMixerTensor(llm, kind, [&](const Tensor& tensor) { take(tensor, mixed); });
        mixed = 0;
    }
}

} // namespace

WeightBytes countWeights(const Llm& llm, DType type)
{
    const StorageRules rules{.llm = &llm, .type = type};
    WeightBytes sum = layersOf(rules, Layout{}, {0, static_cast<int>(llm.layerCount())});
    forEachOuterTensor(
        llm, [&](const Tensor& tensor) { partOf(sum, tensor) += Bytes(storedBytes(tensor, rules)); });
    return sum;
}

MixedBytes mixedBytesPerElement(const Llm& llm, DType type)
{
    if (const CountedLlm* const known = llm.counted.get())
        return known->storedAs(type).mixed;
    struct Sum {
        double bytes = 0, elements = 0;
        void add(const Tensor& tensor, const StorageRules& rules, int times)
        {
            bytes += times * storedBytes(tensor, rules);
            elements += times * static_cast<double>(tensor.elements());
        }
        [[nodiscard]] double mean() const { return elements > 0 ? bytes / elements : 0; }
    };
    const StorageRules rules{.llm = &llm, .type = type};
    Sum mixer, dense, shared, expert, head;
    const auto add = [&](const Tensor& tensor, const StorageRules& at, int times) {
        if (tensor.role == TensorRole::Vector || tensor.role == TensorRole::Router
            || tensor.role == TensorRole::KeptLinear)
            return;
        if (tensor.part == Part::Mixer)
            mixer.add(tensor, at, times);
        else if (tensor.part == Part::DenseMlp)
            dense.add(tensor, at, times);
        else if (tensor.part == Part::SharedExperts)
            shared.add(tensor, at, times);
        else if (tensor.part == Part::Experts)
            expert.add(tensor, at, times);
    };
    if (mixesByLayer(type))
        forEachPlace(rules, {0, static_cast<int>(llm.layerCount())},
                     [&](const LayerKind& kind, const StorageRules& at, int times) {
                         forEachTensor(llm, kind, [&](const Tensor& tensor) { add(tensor, at, times); });
                     });
    else
        forEachUniformTensor(llm, [&](const Tensor& tensor, int times) { add(tensor, rules, times); });
    forEachOuterTensor(llm, [&](const Tensor& tensor) {
        if (tensor.role == TensorRole::Head || (tensor.role == TensorRole::Table && llm.tiedHead))
            head.add(tensor, rules, 1);
    });
    return {mixer.mean(), dense.mean(), shared.mean(), expert.mean(), head.mean()};
}

WeightBytes weightsPerGpu(const Llm& llm, DType type, const Layout& layout, int stage)
{
    const StorageRules rules{.llm = &llm, .type = type, .asLoaded = true};
    return layersOf(rules, layout, stageRange(static_cast<int>(llm.layerCount()), layout.pp, stage))
        + outerPerGpu(rules, layout, stage == 0, stage == layout.pp - 1);
}

Bytes weightBytesPerGpu(const Llm& llm, DType type, const Layout& layout, int stage)
{
    return weightsPerGpu(llm, type, layout, stage).total();
}

WeightBytes layerWeightsPerGpu(const Llm& llm, const LayerKind& kind, DType type, const Layout& layout)
{
    return layerWeights(kind, {.llm = &llm, .type = type, .asLoaded = true}, layout);
}

Bytes mtpBytesPerGpu(const Llm& llm, DType type, const Layout& layout)
{
    const StorageRules rules{.llm = &llm, .type = type, .asLoaded = true};
    const Tensor join{Part::Mixer, TensorRole::KeptLinear, llm.hidden, 2 * llm.hidden, 1, 0};
    const Tensor norms{Part::Norm, TensorRole::Vector, normWidth(llm), 1, llm.mtp.norms, 0};
    Bytes module(storedBytes(join, rules) + storedBytes(norms, rules));
    for (const std::uint8_t kind : llm.mtp.kinds)
        module += layerWeights(llm.kinds[kind], rules, layout).total();
    return llm.mtp.layers * module;
}

Bytes loraBytesPerGpu(const Llm& llm, int adapters, int rank, const Layout& layout, int stage)
{
    double values = 0;
    const StageRange range = stageRange(static_cast<int>(llm.layerCount()), layout.pp, stage);
    const LayerCounts counts = layerCounts(llm, range.first, range.end);
    for (std::size_t k = 0; k < llm.kinds.size(); ++k)
        if (const double layers = counts[k]; layers > 0)
            forEachAdapted(llm, llm.kinds[k], layout, [&](const Adapted& matrix) {
                values += layers * matrix.copies * (matrix.rows + matrix.cols);
            });
    return Bytes(adapterBytes * adapters * rank * values);
}

} // namespace headroom
