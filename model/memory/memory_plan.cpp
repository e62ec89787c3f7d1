#include "model/memory/memory_plan.h"

#include "model/count/cache.h"
#include "model/count/operators.h"
#include "model/count/storage.h"
#include "model/count/weights.h"
#include "model/memory/activation.h"
#include "model/memory/sequence_cache.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom {

namespace {

// The demand with everything that was left to the engine filled in.
struct Need {
    double sequencesPerRank = 0; // of one data-parallel attention rank
    double meanContext = 0;
    double maxContext = 0;
    double batchedTokens = 0;
    double sampledRows = 0;
    double fraction = 0;
};

double firstPositive(double a, double b, double c) { return a > 0 ? a : b > 0 ? b : c; }

Need resolved(const Deployment& deployment, const MemoryDemand& demand)
{
    const Engine& engine = *deployment.engine;
    const StepLimits limits = engine.limitsFor(deployment.gpu->memoryUsable, deployment.gpu->family);
    const auto longest = static_cast<double>(deployment.llm->maxContext);
    const double maxContext = firstPositive(demand.maxContext, demand.meanContext, longest);
    const double perRank = demand.sequences / deployment.layout.dp;
    return {.sequencesPerRank = perRank,
            .meanContext = firstPositive(demand.meanContext, maxContext, 0),
            .maxContext = maxContext,
            .batchedTokens
            = firstPositive(demand.batchedTokens, static_cast<double>(limits.maxBatchedTokens), maxContext),
            .sampledRows
            = firstPositive(demand.sampledRows, static_cast<double>(limits.maxSequences), perRank),
            .fraction = demand.memoryFraction > 0 ? demand.memoryFraction : engine.memoryFraction};
}

// What one stage has and what a sequence costs it, on its fullest GPU.
struct StageMemory {
    GpuMemory gpu;
    Bytes pool;
    Bytes longestSequence;
    Bytes perToken;
    double blockTokens = 1;
};

CachePages pagesOf(const Deployment& deployment, const Llm& llm, StageRange layers)
{
    const Engine& engine = *deployment.engine;
    return {.llm = &llm,
            .kv = deployment.kv,
            .tp = deployment.layout.tp,
            .layers = layers,
            .blockTokens = engine.blockTokens,
            .unified = engine.unifiedPages,
            .chunksHoldAll = engine.chunksHoldAll};
}

StageRange allLayers(const Llm& llm) { return {0, static_cast<int>(llm.layerCount())}; }

// The draft model and the prediction modules live with the last stage.
const Llm* draftModel(const Deployment& deployment)
{
    const SpeculativeDecoding& speculative = deployment.speculative;
    return speculative.kind == SpeculativeDecoding::Kind::DraftModel ? speculative.draft : nullptr;
}

bool runsMtp(const Deployment& deployment)
{
    return deployment.speculative.kind == SpeculativeDecoding::Kind::Mtp && deployment.llm->mtp.layers > 0;
}

bool repacks(const Deployment& deployment)
{
    const std::vector<DType>& types = deployment.engine->repackedOnProcessors;
    return deployment.gpu->processor()
        && std::find(types.begin(), types.end(), deployment.weights) != types.end();
}

Bytes stageWeights(const Deployment& deployment, int stage)
{
    const Llm& llm = *deployment.llm;
    const Layout& layout = deployment.layout;
    const WeightBytes stored = weightsPerGpu(llm, deployment.weights, layout, stage);
    Bytes sum = stored.total();
    if (repacks(deployment))
        sum += stored.linear + stored.experts + stored.sharedExperts;
    if (deployment.loraAdapters > 0)
        sum += loraBytesPerGpu(llm, deployment.loraAdapters, deployment.loraRank, layout, stage);
    if (stage < layout.pp - 1)
        return sum;
    if (const Llm* const draft = draftModel(deployment))
        sum += weightBytesPerGpu(*draft, draft->nativeType, {.tp = layout.tp}, 0);
    if (runsMtp(deployment))
        sum += mtpBytesPerGpu(llm, deployment.weights, layout);
    return sum;
}

// Cache of the modules that draft, one sequence.
Bytes draftCache(const Deployment& deployment, int stage, double context)
{
    const Layout& layout = deployment.layout;
    if (stage < layout.pp - 1)
        return Bytes{};
    if (const Llm* const draft = draftModel(deployment))
        return StageCache(pagesOf(deployment, *draft, allLayers(*draft))).sequence(context);
    Bytes sum;
    if (runsMtp(deployment))
        for (const std::uint8_t kind : deployment.llm->mtp.kinds)
            sum += deployment.llm->mtp.layers * context
                * layerKvBytesPerToken(deployment.llm->kinds[kind].mixer, deployment.kv, layout.tp);
    return sum;
}

Bytes runtimeBytes(const Engine& engine, const Gpu& gpu)
{
    if (gpu.processor())
        return engine.processorRuntime.value_or(engine.runtimeMemory); // and nothing is captured there
    return engine.runtimeMemory + (engine.graphs ? engine.graphMemory : Bytes{});
}

StageMemory stageMemory(const Deployment& deployment, const Need& need, int stage, const StageCache& cache,
                        Bytes weights)
{
    const Llm& llm = *deployment.llm;
    const Engine& engine = *deployment.engine;
    const Layout& layout = deployment.layout;
    StageMemory memory;
    memory.blockTokens = std::max(engine.blockTokens, 1);
    memory.perToken = cache.perToken() + draftCache(deployment, stage, 1);
    const double cells = std::ceil(need.maxContext / engine.cellPadding) * engine.cellPadding;
    memory.longestSequence = cache.sequence(cells) + draftCache(deployment, stage, cells);
    // Contiguous caches are reserved for the longest; pages are taken as a sequence grows.
    const Bytes sequence = engine.blockTokens == 0
        ? memory.longestSequence
        : cache.sequence(need.meanContext) + draftCache(deployment, stage, need.meanContext);

    GpuMemory& gpu = memory.gpu;
    gpu.capacity = deployment.gpu->memoryUsable;
    gpu.weights = weights;
    gpu.activation = engine.bufferTokens > 0
        ? computeBufferBytes(llm, static_cast<double>(engine.bufferTokens))
        : engine.activationFactor
            * activationBytes(llm, layout,
                              {.batchedTokens = need.batchedTokens,
                               .sampledRows = need.sampledRows,
                               .logitsCopies = engine.logitsCopies,
                               .lastStage = stage == layout.pp - 1});
    gpu.runtime = runtimeBytes(engine, *deployment.gpu);
    gpu.kv = need.sequencesPerRank * sequence;
    gpu.used = gpu.weights + gpu.kv + gpu.activation + gpu.runtime;
    const Bytes fixed = gpu.weights + gpu.activation + gpu.runtime;
    if (engine.memoryBase == MemoryBase::OfTotal) {
        gpu.usable = need.fraction * gpu.capacity;
        memory.pool = std::max(Bytes{}, gpu.usable - fixed);
    } else {
        memory.pool = std::max(Bytes{}, need.fraction * (gpu.capacity - fixed));
        gpu.usable = std::min(gpu.capacity, fixed + memory.pool);
    }
    return memory;
}

// Sequences of the longest length that a stage holds, not rounded.
double longestThatFit(const StageMemory& memory)
{
    return memory.longestSequence > Bytes{} ? memory.pool / memory.longestSequence
                                            : std::numeric_limits<double>::max();
}

double capacityTokens(const StageMemory& memory, const Need& need, bool even)
{
    if (!even)
        return longestThatFit(memory) * need.maxContext;
    const Bytes block = memory.blockTokens * memory.perToken;
    return block > Bytes{} ? std::floor(memory.pool / block) * memory.blockTokens
                           : std::numeric_limits<double>::max();
}

// Stages between the first and the last that have as many layers of each kind hold the same, but where bytes
// depend on a layer's place.
bool holdsAsBefore(const Deployment& deployment, int stage)
{
    const int stages = deployment.layout.pp;
    return stage > 1 && stage < stages - 1 && !mixesByLayer(deployment.weights)
        && stageLayers(*deployment.llm, stages, stage) == stageLayers(*deployment.llm, stages, stage - 1);
}

} // namespace

MemoryPlanner::MemoryPlanner(const Deployment& deployment)
    : m_deployment(deployment),
      m_kvBytesPerToken(kvBytesPerToken(*deployment.llm, deployment.kv)),
      m_even(growsEvenly(*deployment.llm, deployment.engine->chunksHoldAll)
             && (draftModel(deployment) == nullptr
                 || growsEvenly(*draftModel(deployment), deployment.engine->chunksHoldAll)))
{
    const int stages = deployment.layout.pp;
    for (std::size_t i = 0; i < std::min(static_cast<std::size_t>(stages), kept); ++i) {
        if (const auto stage = static_cast<int>(i); holdsAsBefore(deployment, stage))
            m_stages[i] = m_stages[i - 1];
        else
            m_stages[i].emplace(deployment, stage);
    }
}

MemoryPlanner::Stage::Stage(const Deployment& deployment, int stage)
    : cache(pagesOf(deployment, *deployment.llm,
                    stageRange(static_cast<int>(deployment.llm->layerCount()), deployment.layout.pp, stage))),
      weights(stageWeights(deployment, stage))
{}

MemoryPlan planMemory(const Deployment& deployment, const MemoryDemand& demand)
{
    return MemoryPlanner(deployment).plan(demand);
}

MemoryPlan MemoryPlanner::plan(const MemoryDemand& demand) const
{
    const Deployment& deployment = m_deployment;
    const Need need = resolved(deployment, demand);
    MemoryPlan plan;
    plan.kvBytesPerToken = m_kvBytesPerToken;
    double batch = std::numeric_limits<double>::max();
    double tokens = std::numeric_limits<double>::max();
    bool fits = true;
    for (int stage = 0; stage < deployment.layout.pp; ++stage) {
        const auto place = static_cast<std::size_t>(stage);
        std::optional<Stage> beyond;
        if (place >= kept)
            beyond.emplace(deployment, stage);
        const Stage& held = beyond ? *beyond : *m_stages[place];
        const StageMemory memory = stageMemory(deployment, need, stage, held.cache, held.weights);
        const double longest = longestThatFit(memory);
        // The stage that limits; of several without any room the one that is over by most.
        const bool overMore = memory.gpu.used - memory.gpu.usable > plan.perGpu.used - plan.perGpu.usable;
        if (stage == 0 || longest < batch || (longest == batch && overMore)) {
            plan.perGpu = memory.gpu;
            plan.kvPool = memory.pool;
        }
        batch = std::min(batch, longest);
        tokens = std::min(tokens, capacityTokens(memory, need, m_even));
        fits = fits && memory.gpu.used <= memory.gpu.usable && memory.longestSequence <= memory.pool;
    }
    plan.fits = fits;
    plan.maxBatch = std::floor(batch) * deployment.layout.dp;
    plan.kvCapacityTokens = std::floor(tokens) * deployment.layout.dp;
    return plan;
}

} // namespace headroom
