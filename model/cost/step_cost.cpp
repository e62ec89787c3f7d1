#include "model/cost/step_cost.h"

#include "model/base/estimate.h"
#include "model/cost/stage_sums.h"
#include "model/count/step_operators.h"

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace headroom {

namespace {

double factorToNinetieth(double lnSpread) { return std::exp(deviationsToNinetieth * lnSpread); }

// `floor`: what the machine cannot beat, however wrong the estimate is.
Estimate<Seconds> interval(double seconds, double factor, Source source, double floor)
{
    const double low = std::min(seconds, std::max(seconds / factor, floor));
    return {Seconds(seconds), Seconds(low), Seconds(seconds * factor), source};
}

bool weightsAloneAreNarrow(GemmClass type)
{
    return type == GemmClass::WeightOnly8 || type == GemmClass::WeightOnly4 || type == GemmClass::Mxfp4;
}

} // namespace

// Flat: an operator has few instructions, and calling one form after the other was a tenth of a prediction.
[[gnu::flatten]] OpTime StepTimer::timeOf(const Op& op) const
{
    const Deployment& d = m_deployment;
    OpTime time = timeOp(op, *d.gpu, *d.node, *d.efficiency);
    if (op.cls == OpClass::Collective)
        time.total = time.total * (1 - d.engine->collectiveOverlap);
    if (op.cls != OpClass::GroupedGemm)
        return time;
    // Who measured kernels on this machine knows what they take. Ranks that send each other tokens run the
    // kernels of the exchange's library (DeepGEMM behind DeepEP), unless the engine keeps to its own.
    const bool exchanged = d.layout.dp > 1 && d.layout.ep > 1 && !d.engine->ownExchangedExperts;
    const bool library = d.engine->libraryUnpacksExperts && weightsAloneAreNarrow(op.gemm);
    if (time.source != Source::MeasuredHere && !exchanged && !library)
        for (Seconds* part : {&time.compute, &time.memory, &time.launch, &time.total})
            *part = *part * d.engine->expertTime;
    return time;
}

[[gnu::flatten]] OpTime StepTimer::timeAndFloor(const Op& op) const
{
    const Deployment& d = m_deployment;
    OpTime time = timeOf(op);
    // The rates of a calibrated processor are what calibrate reached on it, no bound: an engine's kernels may
    // do better (8-bit products run on other units than calibrate's fp32).
    if (d.gpu->processor() && d.efficiency->calibration)
        return time;
    // Exchanges may hide behind other work.
    if (op.cls != OpClass::Collective || d.engine->collectiveOverlap <= 0)
        time.floor = floorOf(op, *d.gpu, *d.node);
    return time;
}

// The time of an operator, worked out where the one at its place in `known` was another.
auto StepTimer::remembering(TimedOps& known, std::size_t& place) const
{
    return [this, &known, &place](const Op& op) {
        OpTime time;
        if (place == known.all.size())
            known.all.push_back({op, timeOf(op).total});
        else if (TimedOps::One& before = known.all[place]; before.op != op)
            before = {op, timeOf(op).total};
        time.total = known.all[place++].time;
        return time;
    };
}

// Layers of all kinds end in the same exchange: of several kinds it is timed once. So is what brings queries
// into the latent space and their results out of it, where heads are as wide in both. `timing`: that of an
// operator.
template <typename Timing>
auto StepTimer::alikeOnce(const Timing& timing) const
{
    struct Known {
        OpTime time;
        Bytes message = Bytes(-1);
        double m = -1, n = 0, k = 0;
    };
    return [&timing, several = m_severalKinds, reduce = Known{}, up = Known{}](const Op& op) mutable {
        if (op.name == OpName::MlaUp) {
            if (op.m != up.m || op.n != up.n || op.k != up.k)
                up = {.time = timing(op), .m = op.m, .n = op.n, .k = op.k};
            return up.time;
        }
        if (!several || op.name != OpName::AllReduce)
            return timing(op);
        if (op.message != reduce.message)
            reduce = {.time = timing(op), .message = op.message};
        return reduce.time;
    };
}

namespace {

// A module that drafts reads a prompt as the model does, before the step's tokens are handed on
// (vllm-project/vllm@000fc94b vllm/v1/worker/gpu_model_runner.py: sample_tokens; SGLang's eagle_worker.py:
// forward_draft_extend; TensorRT-LLM's MTP worker, within the forward pass).
void draftsPrompts(const Deployment& d, const MatrixKinds& matrices, const StepShape& shape, OpSink sink)
{
    if (d.speculative.kind != SpeculativeDecoding::Kind::Mtp || shape.prefillTokens <= 0)
        return;
    StepShape prompts = shape;
    prompts.decodeSequences = 0;
    prompts.sampledRows = std::max(shape.sampledRows - shape.decodeSequences * shape.decodeQueries, 0.0);
    prompts.allTokens = shape.allTokens * shape.prefillTokens / shape.tokens();
    forEachDraftOperator(d, matrices, prompts, sink);
}

} // namespace

// A layer of a kind takes the same time in every stage: it is timed once and counted in each. What several
// kinds have in common is timed once for all of them. `timing`: the time of an operator.
template <typename Stage, typename Timing>
StageList<Stage> StepTimer::sumUp(const StepShape& shape, const Timing& timing) const
{
    StageList<Stage> sums(m_stageCount);
    const EfficiencySet& efficiency = *m_deployment.efficiency;
    const std::size_t kinds = std::min(m_deployment.llm->kinds.size(), maxLayerKinds);
    auto time = alikeOnce(timing);
    StageList<Stage> layer(0); // what stands before its MLP, then all of it
    Stage* to = nullptr;
    const auto add = [&](const Op& op) { to->add(op, time(op), efficiency); };
    const StepOperators operators(m_deployment, m_matrices, shape, add);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        if (!m_kinds[kind].used)
            continue;
        if (!m_kinds[kind].mixesAsBefore) {
            to = &layer.anew(0);
            operators.ofLayer(kind, LayerPart::Mixer);
        }
        to = &layer[0];
        if (m_kinds[kind].mixesAsNext)
            to = &(layer[1] = layer[0]);
        operators.ofLayer(kind, LayerPart::Rest);
        for (std::size_t i = 0; i < m_stageCount; ++i)
            if (const double layers = m_stages[i].ofKind[kind]; layers > 0)
                sums[i].add(*to, layers);
    }
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        to = &sums[i];
        operators.ofEnds(m_stages[i]);
        if (m_stages[i].last)
            draftsPrompts(m_deployment, m_matrices, shape, add);
        wait(sums[i], shape);
    }
    return sums;
}

// With two micro-batches that take turns where the engine runs them and they are faster.
template <typename Stage, typename Timing>
StageList<Stage> StepTimer::inTurns(const StepShape& shape, const Timing& timing) const
{
    StageList<Stage> whole = sumUp<Stage>(shape, timing);
    if (!m_deployment.overlapsBatches)
        return whole;
    const StageList<Stage> half = sumUp<Stage>(halfOf(shape), timing);
    // DeepEP's kernels for large steps occupy 24 multiprocessors; those for small ones leave all of them
    // while tokens are on their way (deepseek-ai/DeepEP@004d6f9 README.md: Buffer.set_num_sms,
    // return_recv_hook).
    constexpr double occupied = 24;
    const double sms = m_deployment.gpu->smCount;
    const double cores = shape.prefillTokens > 0 && sms > occupied ? occupied / sms : 0;
    for (std::size_t i = 0; i < m_stageCount; ++i)
        if (const Stage both = takingTurns(half[i], cores); both.total < whole[i].total)
            whole[i] = both;
    return whole;
}

template <typename Stage>
StageList<Stage> StepTimer::sumUp(const StepShape& shape) const
{
    if constexpr (std::is_same_v<Stage, StageSum>)
        return inTurns<Stage>(shape, [this](const Op& op) { return timeOf(op); });
    else
        return inTurns<Stage>(shape, [this](const Op& op) { return timeAndFloor(op); });
}

// The stages of a piece of the batch `shape`, where `part` is the mean piece. All decodes are in the first
// piece, and prompts fill what room is left; the other pieces hold prompts alone. The mean of all pieces:
// times their number it is the batch.
template <typename Stage, typename Timing>
StageList<Stage> StepTimer::sumOfParts(const StepShape& shape, const StepShape& part,
                                       const Timing& timing) const
{
    const StepShape first = firstPiece(shape, part);
    if (first == part)
        return inTurns<Stage>(part, timing);
    const StageList<Stage> leading = inTurns<Stage>(first, timing);
    const StageList<Stage> others = inTurns<Stage>(otherPiece(shape, first, part), timing);
    const double share = 1 / covers(shape, part);
    StageList<Stage> mean(m_stageCount);
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        mean[i].add(leading[i], share);
        mean[i].add(others[i], 1 - share);
    }
    return mean;
}

template <typename Stage>
StageList<Stage> StepTimer::sumOfParts(const StepShape& shape, const StepShape& part) const
{
    if constexpr (std::is_same_v<Stage, StageSum>)
        return sumOfParts<Stage>(shape, part, [this](const Op& op) { return timeOf(op); });
    else
        return sumOfParts<Stage>(shape, part, [this](const Op& op) { return timeAndFloor(op); });
}

// Without captured graphs the processor must launch each kernel: the GPU waits when kernels are short.
template <typename Stage>
void StepTimer::wait(Stage& stage, const StepShape& shape) const
{
    const Deployment& d = m_deployment;
    if (!d.efficiency->calibration) // which timed kernels one after the other, gaps and all
        stage.parted(d.engine->kernelGap);
    if (!d.engine->graphs || shape.prefillTokens > 0) {
        const Seconds one
            = d.engine->eagerLaunch.base() > 0 ? d.engine->eagerLaunch : d.efficiency->eagerLaunch;
        stage.lastAtLeast(one * stage.kernels);
    }
    stage.lengthen(d.overheadMultiplier
                   * (shape.decodeSequences == 0 && shape.prefillTokens > 0 ? 1 - d.prefillSkipped : 1));
}

template <typename Stage>
StepTimer::Pace StepTimer::pace(const StageList<Stage>& stages, const Succession& parts) const
{
    StageSeconds seconds; // as many as there are stages
    for (std::size_t i = 0; i < m_stageCount; ++i)
        seconds[i] = stages[i].total;
    return pace(seconds, parts);
}

// The same of stages as fast as the machine allows.
template <typename Stage>
double StepTimer::floorOfRate(const StageList<Stage>& stages, const Succession& parts) const
{
    StageSeconds floors;
    for (std::size_t i = 0; i < m_stageCount; ++i)
        floors[i] = stages[i].floor;
    return pace(floors, parts).rate;
}

template <typename Stage>
StepTimer::Sureness StepTimer::sureness(const StageList<Stage>& stages, const StepShape& shape) const
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
    out.lnSpread = spreadOfRuns(latency > 0 ? spread / latency : 0, shape);
    return out;
}

StepCost StepTimer::cost(const StepShape& shape, double lanes) const
{
    const StepShape part = microBatch(shape, lanes);
    const StageList<StageParts> stages = sumOfParts<StageParts>(shape, part);
    const Succession parts = succession(shape, part);
    const Pace whole = pace(stages, parts);
    const Sureness sure = sureness(stages, shape);
    const double factor = factorToNinetieth(sure.lnSpread);
    const StageParts& slowest = stages[whole.slowest];
    const double floor = floorOfRate(stages, parts);
    StepCost out{.rate = interval(whole.rate, factor, sure.source, floor),
                 .latency = interval(whole.passing, factor, sure.source, floor),
                 .compute = slowest.compute,
                 .memory = slowest.memory,
                 .link = slowest.link,
                 .launch = slowest.launch,
                 .host = Seconds(parts.host + parts.ofStage),
                 .bound = slowest.bound()};
    // Counted for one rank and one micro-batch. Ranks without a sequence idle but for their experts.
    const double busy = busyRanks(m_deployment, part);
    const double idle = m_deployment.layout.dp - busy;
    for (std::size_t i = 0; i < m_stageCount; ++i) {
        const double alike = m_stages[i].alike;
        out.flops += (stages[i].flops * busy + stages[i].expertFlops * idle) * alike;
        out.bytes += (stages[i].bytes * busy + stages[i].expertBytes * idle) * alike;
    }
    const double times = m_deployment.layout.tp * parts.pieces;
    out.flops = out.flops * times;
    out.bytes = out.bytes * times;
    return out;
}

template <typename Stage>
Estimate<Seconds> StepTimer::rateOf(const StageList<Stage>& stages, const StepShape& shape,
                                    const StepShape& part) const
{
    const Succession parts = succession(shape, part);
    const Sureness sure = sureness(stages, shape);
    return interval(pace(stages, parts).rate, factorToNinetieth(sure.lnSpread), sure.source,
                    floorOfRate(stages, parts));
}

Estimate<Seconds> StepTimer::rateWithInterval(const StepShape& shape, double lanes) const
{
    const StepShape part = microBatch(shape, lanes);
    return rateOf(sumOfParts<StageTime>(shape, part), shape, part);
}

StepTimer::RateAndPass StepTimer::rateAndPass(const StepShape& shape, double lanes) const
{
    const StepShape part = microBatch(shape, lanes);
    const StageList<StageTime> stages = sumOfParts<StageTime>(shape, part);
    return {rateOf(stages, shape, part), passOf(stages, part)};
}

StagePass StepTimer::pass(const StepShape& shape) const { return passOf(sumUp<StageSum>(shape), shape); }

StagePass StepTimer::pass(const StepShape& shape, TimedOps& known) const
{
    std::size_t place = 0;
    return passOf(inTurns<StageSum>(shape, remembering(known, place)), shape);
}

template <typename Stage>
StagePass StepTimer::passOf(const StageList<Stage>& stages, const StepShape& shape) const
{
    const Seconds ofStage = hostOfStage(shape);
    StagePass out{.kindCount = m_stageCount, .host = hostTime(shape) - ofStage};
    for (std::size_t i = 0; i < m_stageCount; ++i)
        out.kinds[i] = {stages[i].total + ofStage, m_stages[i].alike};
    return out;
}

Estimate<Seconds> StepTimer::draftRate(const StepShape& shape) const
{
    StageTime module;
    forEachDraftOperator(m_deployment, m_matrices, shape,
                         [&](const Op& op) { module.add(op, timeAndFloor(op), *m_deployment.efficiency); });
    wait(module, shape);
    const double spread = std::hypot(module.lnSpread(), m_deployment.engine->lnSpreadDecode);
    return interval(module.total.base(), factorToNinetieth(spread), module.source(), module.floor.base());
}

Seconds StepTimer::rate(const StepShape& shape) const
{
    const StepShape part = microBatch(shape);
    return Seconds(pace(sumOfParts<StageSum>(shape, part), succession(shape, part)).rate);
}

Seconds StepTimer::rate(const StepShape& shape, TimedOps& known) const
{
    const StepShape part = microBatch(shape);
    std::size_t place = 0;
    return Seconds(
        pace(sumOfParts<StageSum>(shape, part, remembering(known, place)), succession(shape, part)).rate);
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
    if (m_stages[slowest].last)
        draftsPrompts(m_deployment, m_matrices, part, take);
    return out;
}

} // namespace headroom
