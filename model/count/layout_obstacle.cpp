#include "model/count/mixer_count.h"
#include "model/count/operators.h"
#include "model/count/weights.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

Message mlpObstacle(const Mlp& mlp, const Layout& layout)
{
    if (mlp.kind == MlpKind::Dense && mlp.intermediate % layout.tp != 0)
        return notDivisible("MLP columns", mlp.intermediate, layout.tp);
    if (mlp.kind != MlpKind::Moe)
        return {};
    if ((mlp.experts + layout.redundantExperts) % layout.ep != 0)
        return layout.redundantExperts > 0
            ? say("{} experts and {} redundant ones cannot be split evenly over ep = {}", mlp.experts,
                  layout.redundantExperts, layout.ep)
            : say("{} experts cannot be split evenly over ep = {}", mlp.experts, layout.ep);
    const int perExpert = layout.dp * layout.tp / layout.ep;
    if (mlp.expertIntermediate % perExpert != 0)
        return say("{} columns of an expert cannot be split evenly over {} GPUs (dp x tp / ep)",
                   mlp.expertIntermediate, perExpert);
    if (mlp.sharedIntermediate % layout.tp != 0)
        return notDivisible("columns of the shared expert", mlp.sharedIntermediate, layout.tp);
    return {};
}

Message layerObstacle(const LayerKind& kind, const Layout& layout)
{
    const Message obstacle
        = ofMixer(kind.mixer, [&](const MixerCount& count) { return count.obstacle(layout.tp); });
    return obstacle.empty() ? mlpObstacle(kind.mlp, layout) : obstacle;
}

// Nothing shipped comes near: said instead of letting the last kind stand for the others.
Message kindsObstacle(const Llm& llm, const Layout& layout)
{
    std::array<const Mixer*, maxCacheKinds> caches{};
    std::size_t cacheCount = 0;
    for (const LayerKind& kind : llm.kinds) {
        const auto* const end = caches.data() + cacheCount;
        if (std::any_of(std::as_const(caches).data(), end,
                        [&](const Mixer* known) { return *known == kind.mixer; }))
            continue;
        if (cacheCount == maxCacheKinds)
            return say("more than {} kinds of cache", maxCacheKinds);
        caches[cacheCount++] = &kind.mixer;
    }
    std::array<StageLayers, maxDistinctStages> stages{};
    std::size_t stageCount = 0;
    for (int stage = 0; stage < layout.pp; ++stage) {
        const StageLayers layers = stageLayers(llm, layout.pp, stage);
        if (std::find(stages.begin(), stages.begin() + static_cast<std::ptrdiff_t>(stageCount), layers)
            != stages.begin() + static_cast<std::ptrdiff_t>(stageCount))
            continue;
        if (stageCount == maxDistinctStages)
            return say("pp = {} makes more than {} kinds of stages", layout.pp, maxDistinctStages);
        stages[stageCount++] = layers;
    }
    return {};
}

} // namespace

Message layoutObstacle(const Llm& llm, const Layout& layout)
{
    if (layout.tp < 1 || layout.pp < 1 || layout.ep < 1 || layout.dp < 1 || layout.replicas < 1)
        return "tp, pp, ep, dp and replicas are whole numbers from 1";
    if (layout.pp > llm.layerCount())
        return say("pp = {} stages, but {} has only {} layers", layout.pp, llm.name, llm.layerCount());
    if (layout.ep > 1 && !llm.hasExperts())
        return say("ep = {}, but {} has no experts", layout.ep, llm.name);
    if (layout.redundantExperts > 0 && layout.ep <= 1)
        return say("{} redundant experts, and none are spread (ep = 1)", layout.redundantExperts);
    if (layout.dp * layout.tp % layout.ep != 0)
        return say("ep = {} does not divide dp x tp = {}", layout.ep, layout.dp * layout.tp);
    for (const LayerKind& kind : llm.kinds)
        if (const Message obstacle = layerObstacle(kind, layout); !obstacle.empty())
            return say("{}: {}", llm.name, obstacle);
    if (const Message obstacle = kindsObstacle(llm, layout); !obstacle.empty())
        return say("{}: {}", llm.name, obstacle);
    return {};
}

} // namespace headroom
