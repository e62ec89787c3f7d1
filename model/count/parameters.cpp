#include "model/count/parameters.h"

#include "model/count/rank_share.h"
#include "model/count/tensors.h"

#include <algorithm>
#include <string_view>

namespace headroom {

namespace {

void add(ParameterCount& count, Part part, std::int64_t elements)
{
    switch (part) {
    case Part::Embedding:
        count.embedding += elements;
        return;
    case Part::Mixer:
        count.mixers += elements;
        return;
    case Part::DenseMlp:
        count.denseMlp += elements;
        return;
    case Part::Router:
        count.routers += elements;
        return;
    case Part::Experts:
        count.experts += elements;
        return;
    case Part::SharedExperts:
        count.sharedExperts += elements;
        return;
    case Part::Norm:
        count.norms += elements;
        return;
    case Part::Head:
        count.head += elements;
        return;
    }
}

void add(ParameterCount& count, const ParameterCount& layer, std::int64_t times)
{
    count.mixers += times * layer.mixers;
    count.denseMlp += times * layer.denseMlp;
    count.routers += times * layer.routers;
    count.experts += times * layer.experts;
    count.sharedExperts += times * layer.sharedExperts;
    count.norms += times * layer.norms;
}

std::int64_t sumOfParts(const ParameterCount& count)
{
    return count.embedding + count.mixers + count.denseMlp + count.routers + count.experts
        + count.sharedExperts + count.norms + count.head;
}

// Routed experts of a layer that one token does not choose.
std::int64_t unchosen(const LayerKind& kind, const ParameterCount& layer)
{
    if (kind.mlp.kind != MlpKind::Moe || kind.mlp.experts == 0)
        return 0;
    return layer.experts / kind.mlp.experts * (kind.mlp.experts - kind.mlp.expertsPerToken);
}

bool includes(const Llm& llm, std::string_view what)
{
    return std::find(llm.published.includes.begin(), llm.published.includes.end(), what)
        != llm.published.includes.end();
}

// Scales that a block-quantised checkpoint stores beside its matrices; publishers count them as parameters.
std::int64_t blockScales(const Llm& llm, const LayerKind& kind)
{
    std::int64_t scales = 0;
    forEachTensor(llm, kind, [&](const Tensor& tensor) {
        const bool kept = tensor.role == TensorRole::Vector || tensor.role == TensorRole::Router
            || tensor.role == TensorRole::KeptLinear;
        if (!kept)
            scales += tensor.copies * ceilDivide(tensor.rows, llm.nativeQuantization->blockRows)
                * ceilDivide(tensor.cols, llm.nativeQuantization->blockColumns);
    });
    return scales;
}

std::int64_t blockScales(const Llm& llm)
{
    if (!llm.nativeQuantization || llm.nativeQuantization->blockRows <= 0
        || llm.nativeQuantization->blockColumns <= 0)
        return 0;
    std::int64_t scales = 0;
    for (const std::uint8_t kind : llm.layers)
        scales += blockScales(llm, llm.kinds[kind]);
    for (const std::uint8_t kind : llm.mtp.kinds)
        scales += llm.mtp.layers * blockScales(llm, llm.kinds[kind]);
    return scales;
}

// Rotary frequencies that old checkpoints store: half a head's rotated dimensions.
std::int64_t ropeBuffer(const LayerKind& kind)
{
    const auto* const attention = std::get_if<Attention>(&kind.mixer);
    if (!attention || !attention->rope)
        return 0;
    return (attention->ropeDims > 0 ? attention->ropeDims : attention->headDim) / 2;
}

std::int64_t mtpParameters(const Llm& llm)
{
    std::int64_t module
        = 2 * llm.hidden * llm.hidden + llm.mtp.norms * normWidth(llm) + tensors::hyperHead(llm);
    for (const std::uint8_t kind : llm.mtp.kinds)
        module += sumOfParts(countLayer(llm, llm.kinds[kind]));
    return llm.mtp.layers * module;
}

// Adds to the text model what the publisher's integer holds beside it.
std::int64_t comparable(const Llm& llm, const ParameterCount& count)
{
    std::int64_t sum = count.total;
    const std::int64_t table = llm.vocab * llm.hidden;
    if (includes(llm, "vision"))
        sum += llm.published.visionParams;
    if (includes(llm, "mtp"))
        sum += count.mtp;
    if (includes(llm, "mtp_embedding_and_head"))
        sum += llm.mtp.layers * 2 * table;
    if (includes(llm, "stored_tied_head"))
        sum += table;
    if (includes(llm, "fp8_scales"))
        sum += blockScales(llm);
    if (includes(llm, "rope_buffers"))
        for (const std::uint8_t kind : llm.layers)
            sum += ropeBuffer(llm.kinds[kind]);
    if (includes(llm, "rope_buffer"))
        sum += ropeBuffer(llm.kinds[llm.layers.front()]);
    if (includes(llm, "fp32_router_bytes")) // total bytes over two: a 32-bit router counts twice
        sum += count.routers;
    return sum;
}

} // namespace

ParameterCount countLayer(const Llm& llm, const LayerKind& kind)
{
    ParameterCount count;
    forEachTensor(llm, kind, [&](const Tensor& tensor) { add(count, tensor.part, tensor.elements()); });
    return count;
}

ParameterCount countParameters(const Llm& llm)
{
    ParameterCount count;
    forEachOuterTensor(llm, [&](const Tensor& tensor) { add(count, tensor.part, tensor.elements()); });
    std::int64_t idle = 0;
    for (std::size_t k = 0; k < llm.kinds.size(); ++k) {
        const LayerKind& kind = llm.kinds[k];
        const ParameterCount layer = countLayer(llm, kind);
        const std::int64_t times = llm.layersOfKind(k);
        add(count, layer, times);
        idle += times * unchosen(kind, layer);
    }
    count.total = sumOfParts(count);
    count.active = count.total - idle;
    count.mtp = llm.mtp.inCheckpoint ? mtpParameters(llm) : 0;
    count.comparable = comparable(llm, count);
    return count;
}

} // namespace headroom
