#include "model/cost/step_cost.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

constexpr std::size_t opClassCount = 9;
// Half width of a 10–90 % interval in standard deviations of a normal distribution.
constexpr double ninetiethPercentile = 1.2815515655446004;

Estimate<Seconds> interval(double seconds, double lnSpread, Source source)
{
    const double factor = std::exp(ninetiethPercentile * lnSpread);
    return {Seconds(seconds), Seconds(seconds / factor), Seconds(seconds * factor), source};
}

} // namespace

// Times of one stage: errors of one class of operators go together over all layers, those of different
// classes do not.
struct StepTimer::StageSum {
    Seconds total;
    Seconds compute, memory, link, launch;
    Seconds boundBy[4];
    Flops flops;
    Bytes bytes;
    double kernels = 0;
    double spreadOf[opClassCount]{}; // seconds x ln spread, by class
    Source source = Source::Exact;

    void add(const Op& op, double count, const OpTime& time)
    {
        total += time.total * count;
        compute += time.compute * count;
        memory += time.memory * count;
        link += time.link * count;
        launch += time.launch * count;
        boundBy[static_cast<std::size_t>(time.bound())] += time.total * count;
        flops += op.flops * count;
        bytes += op.bytes() * count;
        kernels += count;
        spreadOf[static_cast<std::size_t>(op.cls)] += (time.total * count).base() * time.lnSpread;
        source = worse(source, time.source);
    }
    [[nodiscard]] double lnSpread(double deviceSpread) const
    {
        double variance = 0;
        for (const double part : spreadOf)
            variance += part * part;
        const double relative = total.base() > 0 ? std::sqrt(variance) / total.base() : 0;
        return std::hypot(relative, deviceSpread);
    }
};

StepTimer::StepTimer(const Deployment& deployment) : m_deployment(deployment)
{
    const int stages = deployment.layout.pp;
    for (int stage = 0; stage < stages; ++stage) {
        StageLayers layers = stageLayers(*deployment.llm, stages, stage);
        const auto known
            = std::find_if(m_stages.begin(), m_stages.begin() + m_stageCount, [&](StageLayers other) {
                  other.alike = layers.alike;
                  return other == layers;
              });
        if (known != m_stages.begin() + m_stageCount)
            ++known->alike;
        else if (m_stageCount < maxDistinctStages)
            m_stages[m_stageCount++] = layers;
        else
            ++m_stages[m_stageCount - 1]
                  .alike; // more kinds of stages than any shipped model has: the last stands in
    }
}

OpTime StepTimer::timeOf(const Op& op) const
{
    const Deployment& d = m_deployment;
    OpTime time = timeOp(op, *d.gpu, *d.node, *d.efficiency);
    if (op.cls == OpClass::Collective)
        time.total = time.total * (1 - d.engine->collectiveOverlap);
    return time;
}

// An operator of a layer takes the same time in every stage: it is timed once and counted in each.
void StepTimer::sumUp(const StepShape& shape, StageSums& sums) const
{
    const std::size_t kinds = std::min(m_deployment.llm->kinds.size(), maxLayerKinds);
    for (std::size_t kind = 0; kind < kinds; ++kind)
        forEachLayerOperator(m_deployment, kind, shape, [&](const Op& op) {
            const OpTime time = timeOf(op);
            for (std::size_t i = 0; i < m_stageCount; ++i)
                if (const double layers = m_stages[i].ofKind[kind]; layers > 0)
                    sums[i].add(op, op.count * layers, time);
        });
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        forEachEndOperator(m_deployment, m_stages[i], shape,
                           [&](const Op& op) { sums[i].add(op, op.count, timeOf(op)); });
        wait(sums[i], shape);
    }
}

// Without captured graphs the processor must launch each kernel: the GPU waits when kernels are short.
void StepTimer::wait(StageSum& sum, const StepShape& shape) const
{
    const Deployment& d = m_deployment;
    const bool eager = !d.engine->graphs || shape.prefillTokens > 0;
    if (eager) {
        const Seconds one
            = d.engine->eagerLaunch.base() > 0 ? d.engine->eagerLaunch : d.efficiency->eagerLaunch;
        const Seconds launching = one * sum.kernels;
        if (launching > sum.total) {
            sum.boundBy[static_cast<std::size_t>(Bound::Launch)] += launching - sum.total;
            sum.total = launching;
        }
    }
    const double multiplier = d.overheadMultiplier
        * (shape.decodeSequences == 0 && shape.prefillTokens > 0 ? 1 - d.prefillSkipped : 1);
    sum.total = sum.total * multiplier;
    for (double& part : sum.spreadOf)
        part *= multiplier;
}

StepShape StepTimer::microBatch(const StepShape& shape) const
{
    const double stages = m_deployment.layout.pp;
    if (stages <= 1 || !m_deployment.engine->pipelineMicroBatches)
        return shape;
    StepShape out = shape;
    const auto share
        = [&](double sequences) { return sequences > 0 ? std::max(sequences / stages, 1.0) : 0.0; };
    out.decodeSequences = share(shape.decodeSequences);
    out.sampledRows = share(shape.sampledRows);
    out.prefillSequences = shape.prefillSequences > 0 ? std::max(shape.prefillSequences / stages, 1.0) : 0;
    out.prefillTokens = shape.prefillSequences > 0
        ? shape.prefillTokens * out.prefillSequences / shape.prefillSequences
        : 0;
    if (shape.allTokens > 0)
        out.allTokens = shape.allTokens * out.tokens() / shape.tokens();
    return out;
}

Seconds StepTimer::hostTime(const StepShape& shape) const
{
    const Engine& engine = *m_deployment.engine;
    const double sequences = shape.decodeSequences + shape.prefillSequences;
    return (engine.stepHostTime + engine.stepHostTimePerSequence * sequences) * (1 - engine.hostOverlap);
}

StepCost StepTimer::cost(const StepShape& shape) const
{
    const StepShape part = microBatch(shape);
    const bool full = m_deployment.layout.pp > 1 && m_deployment.engine->pipelineMicroBatches;
    StageSums stages{};
    sumUp(part, stages);
    const StageSum* slowest = &stages.front();
    double latency = 0;
    double kernelTime = 0;
    double spread = 0;
    Source source = Source::Exact;
    StepCost out;
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        const StageSum& stage = stages[i];
        const double alike = m_stages[i].alike;
        latency += stage.total.base() * alike;
        const double stageSpread = stage.lnSpread(m_deployment.efficiency->deviceSpread);
        spread += stageSpread * stage.total.base() * alike;
        kernelTime += stage.total.base() * alike;
        source = worse(source, stage.source);
        out.flops += stage.flops * alike;
        out.bytes += stage.bytes * alike;
        if (stage.total >= slowest->total)
            slowest = &stage;
    }
    const Layout& layout = m_deployment.layout;
    const double ranks = layout.tp * busyRanks(m_deployment, part);
    // Counted for one micro-batch: the replica runs as many as it takes to cover the step.
    const double covers
        = shape.tokens() > 0 ? std::max(shape.tokens() / std::max(part.tokens(), 1e-9), 1.0) : 1;
    out.flops = out.flops * (ranks * covers);
    out.bytes = out.bytes * (ranks * covers);
    out.host = hostTime(part);
    out.compute = slowest->compute;
    out.memory = slowest->memory;
    out.link = slowest->link;
    out.launch = slowest->launch;
    const auto* const most = std::max_element(std::begin(slowest->boundBy), std::end(slowest->boundBy));
    out.bound = static_cast<Bound>(most - std::begin(slowest->boundBy));
    // Whole runs miss more than their operators do: what validation found of this engine comes on top.
    const Engine& engine = *m_deployment.engine;
    const double whole = shape.decodeSequences > 0 ? engine.lnSpreadDecode : engine.lnSpreadPrefill;
    const double lnSpread = std::hypot(kernelTime > 0 ? spread / kernelTime : 0, whole);
    // A full pipeline takes in a micro-batch each time its slowest stage is free; a naive one runs stage
    // after stage. A decode's next token waits for its last one to leave the pipeline, prompts beside it or
    // not.
    const double cadence = full ? slowest->total.base() * covers : latency;
    const bool decodes = full && shape.decodeSequences > 0;
    const double passing = decodes ? std::max(latency, cadence) : latency;
    const double rate = decodes ? passing : cadence;
    out.rate = interval(rate + out.host.base(), lnSpread, source);
    out.latency = interval(passing + out.host.base(), lnSpread, source);
    return out;
}

Seconds StepTimer::rate(const StepShape& shape) const { return cost(shape).rate.value; }

std::vector<Op> StepTimer::operators(const StepShape& shape) const
{
    const StepShape part = microBatch(shape);
    StageSums sums{};
    sumUp(part, sums);
    std::size_t slowest = 0;
    for (std::size_t i = 1; i < m_stageCount; ++i)
        if (sums[i].total > sums[slowest].total)
            slowest = i;
    std::vector<Op> out;
    const auto take = [&](const Op& op) {
        if (op.count > 0)
            out.push_back(op);
    };
    forEachOperator(m_deployment, m_stages[slowest], part, take);
    return out;
}

} // namespace headroom
