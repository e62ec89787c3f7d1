#include "model/cost/step_cost.h"

#include "model/cost/launches.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

namespace headroom {

namespace {

constexpr std::size_t opClassCount = 9;
constexpr std::size_t opNameCount = static_cast<std::size_t>(OpName::Sampling) + 1;
// Half width of a 10–90 % interval in standard deviations of a normal distribution.
constexpr double ninetiethPercentile = 1.2815515655446004;

// How well the stages of a pipeline keep each other busy, in ln: the root of the mean square of how far three
// engines stayed behind stages that never wait. GPUStack performance lab on H100: ln 1.27 (vLLM, gpt-oss-120b
// over two) and ln 1.86 (SGLang, GLM-4.5-Air over four); TensorRT-LLM performance docs, RTX PRO 6000:
// ln 1.04.
constexpr double amongPipelines = 0.38;

// Of two causes that know nothing of each other.
double together(double spread, double other) { return std::sqrt(spread * spread + other * other); }

Estimate<Seconds> interval(double seconds, double lnSpread, Source source)
{
    const double factor = std::exp(ninetiethPercentile * lnSpread);
    return {Seconds(seconds), Seconds(seconds / factor), Seconds(seconds * factor), source};
}

} // namespace

constexpr std::size_t sourceCount = static_cast<std::size_t>(Source::Prior) + 1;

// Time of one stage, and nothing else: what a simulation asks for every step.
struct StepTimer::StageSum {
    Seconds total;
    double kernels = 0;

    void add(const Op& op, const OpTime& time, const EfficiencySet& /*efficiency*/)
    {
        total += time.total * op.count;
        kernels += op.count * launchesOf(op);
    }
    void add(const StageSum& layer, double layers)
    {
        total += layer.total * layers;
        kernels += layer.kernels * layers;
    }
    void lastAtLeast(Seconds launching) { total = std::max(total, launching); }
    void lengthen(double multiplier) { total = total * multiplier; }
};

// The same with how sure it is. The error of an operator is the same in all layers. Of two operators of one
// class this share of the variance is common, those of different classes have nothing in common. Fitted forms
// err by 6.0, 8.4 and 7.1 % on single products (A100, H100, A40) and by 3.8, 5.8 and 4.2 % on the sum of a
// layer's four, of which the largest is half: a tenth.
constexpr double commonInClass = 0.1;
struct StepTimer::StageTime : StageSum {
    double amongCards = 0;                // seconds x ln spread between two cards of the type
    double spreadOf[opNameCount]{};       // seconds x ln spread, by operator
    double spreadOfClass[opClassCount]{}; // the same, by class
    double secondsOf[sourceCount]{};      // by where they come from

    void add(const Op& op, const OpTime& time, const EfficiencySet& efficiency)
    {
        StageSum::add(op, time, efficiency);
        const Seconds seconds = time.total * op.count;
        amongCards += seconds.base() * spreadAmongCards(time, efficiency);
        const double spread = seconds.base() * time.lnSpread;
        spreadOf[static_cast<std::size_t>(op.name)] += spread;
        spreadOfClass[static_cast<std::size_t>(op.cls)] += spread;
        secondsOf[static_cast<std::size_t>(time.source)] += seconds.base();
    }
    void add(const StageTime& layer, double layers)
    {
        StageSum::add(layer, layers);
        amongCards += layer.amongCards * layers;
        for (std::size_t i = 0; i < opNameCount; ++i)
            spreadOf[i] += layer.spreadOf[i] * layers;
        for (std::size_t i = 0; i < opClassCount; ++i)
            spreadOfClass[i] += layer.spreadOfClass[i] * layers;
        for (std::size_t i = 0; i < sourceCount; ++i)
            secondsOf[i] += layer.secondsOf[i] * layers;
    }
    // The worst that a good part of the time comes from: a norm without timings of its own does not make a
    // sum of measured products a guess. Its wide spread is in the interval all the same.
    [[nodiscard]] Source source() const
    {
        constexpr double goodPart = 0.2;
        const double all = std::accumulate(std::begin(secondsOf), std::end(secondsOf), 0.0);
        double soFar = 0;
        for (std::size_t i = sourceCount; i-- > 0;) {
            soFar += secondsOf[i];
            if (soFar > 0 && soFar >= goodPart * all)
                return static_cast<Source>(i);
        }
        return Source::Exact;
    }
    void lengthen(double multiplier)
    {
        StageSum::lengthen(multiplier);
        amongCards *= multiplier;
        for (double& part : spreadOf)
            part *= multiplier;
        for (double& part : spreadOfClass)
            part *= multiplier;
    }
    [[nodiscard]] double lnSpread() const
    {
        double variance = 0;
        for (const double part : spreadOf)
            variance += (1 - commonInClass) * part * part;
        for (const double part : spreadOfClass)
            variance += commonInClass * part * part;
        const double all = total.base();
        return all > 0 ? together(std::sqrt(variance), amongCards) / all : 0;
    }
};

// The same with what it is made of.
struct StepTimer::StageParts : StageTime {
    Seconds compute, memory, link, launch;
    Seconds boundBy[4];
    Flops flops;
    Bytes bytes;
    Flops expertFlops; // of these: by experts, who work for every rank
    Bytes expertBytes;

    void add(const Op& op, const OpTime& time, const EfficiencySet& efficiency)
    {
        StageTime::add(op, time, efficiency);
        compute += time.compute * op.count;
        memory += time.memory * op.count;
        link += time.link * op.count;
        launch += time.launch * op.count;
        boundBy[static_cast<std::size_t>(time.bound())] += time.total * op.count;
        flops += op.flops * op.count;
        bytes += op.bytes() * op.count;
        if (op.cls == OpClass::GroupedGemm) {
            expertFlops += op.flops * op.count;
            expertBytes += op.bytes() * op.count;
        }
    }
    void add(const StageParts& layer, double layers)
    {
        StageTime::add(layer, layers);
        compute += layer.compute * layers;
        memory += layer.memory * layers;
        link += layer.link * layers;
        launch += layer.launch * layers;
        for (std::size_t i = 0; i < std::size(boundBy); ++i)
            boundBy[i] += layer.boundBy[i] * layers;
        flops += layer.flops * layers;
        bytes += layer.bytes * layers;
        expertFlops += layer.expertFlops * layers;
        expertBytes += layer.expertBytes * layers;
    }
    void lastAtLeast(Seconds launching)
    {
        if (launching > total)
            boundBy[static_cast<std::size_t>(Bound::Launch)] += launching - total;
        StageTime::lastAtLeast(launching);
    }
    [[nodiscard]] Bound bound() const
    {
        const auto* const most = std::max_element(std::begin(boundBy), std::end(boundBy));
        return static_cast<Bound>(most - std::begin(boundBy));
    }
};

// A whole step, before the interval around it.
struct StepTimer::Pace {
    double rate = 0;
    double passing = 0;      // from the first stage to the last
    std::size_t slowest = 0; // stage
};

// How sure it is.
struct StepTimer::Sureness {
    double lnSpread = 0;
    Source source = Source::Exact;
};

StepTimer::StepTimer(const Deployment& deployment) : m_deployment(deployment), m_matrices(deployment)
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

// A layer of a kind takes the same time in every stage: it is timed once and counted in each.
// `timing`: the time of an operator.
template <typename Stage, typename Timing>
StepTimer::Stages<Stage> StepTimer::sumUp(const StepShape& shape, const Timing& timing) const
{
    Stages<Stage> sums{};
    const EfficiencySet& efficiency = *m_deployment.efficiency;
    const std::size_t kinds = std::min(m_deployment.llm->kinds.size(), maxLayerKinds);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        Stage layer;
        forEachLayerOperator(m_deployment, m_matrices, kind, shape,
                             [&](const Op& op) { layer.add(op, timing(op), efficiency); });
        for (std::size_t i = 0; i < m_stageCount; ++i)
            if (const double layers = m_stages[i].ofKind[kind]; layers > 0)
                sums[i].add(layer, layers);
    }
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        forEachEndOperator(m_deployment, m_matrices, m_stages[i], shape,
                           [&](const Op& op) { sums[i].add(op, timing(op), efficiency); });
        wait(sums[i], shape);
    }
    return sums;
}

template <typename Stage>
StepTimer::Stages<Stage> StepTimer::sumUp(const StepShape& shape) const
{
    return sumUp<Stage>(shape, [this](const Op& op) { return timeOf(op); });
}

// Without captured graphs the processor must launch each kernel: the GPU waits when kernels are short.
template <typename Stage>
void StepTimer::wait(Stage& stage, const StepShape& shape) const
{
    const Deployment& d = m_deployment;
    const bool eager = !d.engine->graphs || shape.prefillTokens > 0;
    if (eager) {
        const Seconds one
            = d.engine->eagerLaunch.base() > 0 ? d.engine->eagerLaunch : d.efficiency->eagerLaunch;
        stage.lastAtLeast(one * stage.kernels);
    }
    stage.lengthen(d.overheadMultiplier
                   * (shape.decodeSequences == 0 && shape.prefillTokens > 0 ? 1 - d.prefillSkipped : 1));
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

// Micro-batches that it takes to cover a step.
double StepTimer::covers(const StepShape& shape, const StepShape& part)
{
    return shape.tokens() > 0 ? std::max(shape.tokens() / std::max(part.tokens(), 1e-9), 1.0) : 1;
}

template <typename Stage>
StepTimer::Pace StepTimer::pace(const Stages<Stage>& stages, const StepShape& shape,
                                const StepShape& part) const
{
    const bool full = m_deployment.layout.pp > 1 && m_deployment.engine->pipelineMicroBatches;
    Pace pace;
    double latency = 0;
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        latency += stages[i].total.base() * m_stages[i].alike;
        if (stages[i].total >= stages[pace.slowest].total)
            pace.slowest = i;
    }
    // A full pipeline takes in a micro-batch each time its slowest stage is free; a naive one runs stage
    // after stage. A decode's next token waits for its last one to leave the pipeline, prompts beside it or
    // not.
    const double cadence = full ? stages[pace.slowest].total.base() * covers(shape, part) : latency;
    const bool decodes = full && shape.decodeSequences > 0;
    const double host = hostTime(part).base();
    const double passing = decodes ? std::max(latency, cadence) : latency;
    pace.passing = passing + host;
    pace.rate = (decodes ? passing : cadence) + host;
    return pace;
}

template <typename Stage>
StepTimer::Sureness StepTimer::sureness(const Stages<Stage>& stages, const StepShape& shape) const
{
    Sureness out;
    double latency = 0;
    double spread = 0;
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        const double seconds = stages[i].total.base() * m_stages[i].alike;
        latency += seconds;
        spread += stages[i].lnSpread() * seconds;
        out.source = worse(out.source, stages[i].source());
    }
    // Whole runs miss more than their operators do: what validation found of this engine comes on top.
    const Engine& engine = *m_deployment.engine;
    const double whole = shape.decodeSequences > 0 ? engine.lnSpreadDecode : engine.lnSpreadPrefill;
    const double pipeline = m_deployment.layout.pp > 1 ? amongPipelines : 0;
    out.lnSpread = together(latency > 0 ? spread / latency : 0, std::hypot(whole, pipeline));
    return out;
}

StepCost StepTimer::cost(const StepShape& shape) const
{
    const StepShape part = microBatch(shape);
    const Stages<StageParts> stages = sumUp<StageParts>(part);
    const Pace whole = pace(stages, shape, part);
    const Sureness sure = sureness(stages, shape);
    const StageParts& slowest = stages[whole.slowest];
    StepCost out{.rate = interval(whole.rate, sure.lnSpread, sure.source),
                 .latency = interval(whole.passing, sure.lnSpread, sure.source),
                 .compute = slowest.compute,
                 .memory = slowest.memory,
                 .link = slowest.link,
                 .launch = slowest.launch,
                 .host = hostTime(part),
                 .bound = slowest.bound()};
    // Counted for one rank and one micro-batch. Ranks without a sequence idle but for their experts.
    const double busy = busyRanks(m_deployment, part);
    const double idle = m_deployment.layout.dp - busy;
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        const double alike = m_stages[i].alike;
        out.flops += (stages[i].flops * busy + stages[i].expertFlops * idle) * alike;
        out.bytes += (stages[i].bytes * busy + stages[i].expertBytes * idle) * alike;
    }
    const double times = m_deployment.layout.tp * covers(shape, part);
    out.flops = out.flops * times;
    out.bytes = out.bytes * times;
    return out;
}

Estimate<Seconds> StepTimer::rateWithInterval(const StepShape& shape) const
{
    const StepShape part = microBatch(shape);
    const Stages<StageTime> stages = sumUp<StageTime>(part);
    const Sureness sure = sureness(stages, shape);
    return interval(pace(stages, shape, part).rate, sure.lnSpread, sure.source);
}

Seconds StepTimer::rate(const StepShape& shape) const
{
    const StepShape part = microBatch(shape);
    return Seconds(pace(sumUp<StageSum>(part), shape, part).rate);
}

Seconds StepTimer::rate(const StepShape& shape, TimedOps& known) const
{
    const StepShape part = microBatch(shape);
    std::size_t place = 0;
    const auto timing = [&](const Op& op) {
        OpTime time;
        if (place == known.all.size())
            known.all.push_back({op, timeOf(op).total});
        else if (TimedOps::One& before = known.all[place]; before.op != op)
            before = {op, timeOf(op).total};
        time.total = known.all[place++].time;
        return time;
    };
    return Seconds(pace(sumUp<StageSum>(part, timing), shape, part).rate);
}

std::vector<Op> StepTimer::operators(const StepShape& shape) const
{
    const StepShape part = microBatch(shape);
    const auto sums = sumUp<StageSum>(part);
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
