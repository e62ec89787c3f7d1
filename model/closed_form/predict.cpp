#include "model/closed_form/engine_spread.h"
#include "model/closed_form/gathered_users.h"
#include "model/closed_form/prediction.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/scheduling.h"
#include "model/closed_form/step_budget.h"
#include "model/cost/power.h"
#include "model/count/stored_type.h"
#include "model/deploy/paid.h"
#include "model/deploy/range_parts.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

template <typename Q>
Estimate<Q> scaled(const Estimate<Seconds>& time, double factor)
{
    return {Q(time.value.base() * factor), Q(time.low.base() * factor), Q(time.high.base() * factor),
            time.source};
}

// k / time: the slow end of the time is the low end of the rate.
template <typename Q>
Estimate<Q> inverse(const Estimate<Seconds>& time, double numerator)
{
    const auto over = [&](Seconds t) { return Q(t.base() > 0 ? numerator / t.base() : 0); };
    return {over(time.value), over(time.high), over(time.low), time.source};
}

struct Utilisation {
    double compute = 0;
    double memory = 0;
};
// Of the fastest arithmetic that its products use: experts may be narrower than the rest of a layer.
FlopsPerSecond peakOfProducts(const Gpu& gpu, const MatrixKinds& matrices)
{
    FlopsPerSecond peak;
    for (const WeightPart part : {WeightPart::Mixer, WeightPart::DenseMlp, WeightPart::Expert})
        if (const MathUnit unit = matrices[part].unit; gpu.has(unit))
            peak = std::max(peak, gpu.peak(unit));
    return peak;
}

Utilisation utilisation(const Deployment& d, FlopsPerSecond peak, const StepCost& step, Seconds time)
{
    const double gpuSeconds = d.layout.gpusPerReplica() * time.base();
    if (gpuSeconds <= 0 || peak <= FlopsPerSecond())
        return {};
    return {step.flops.base() / (peak.base() * gpuSeconds),
            step.bytes.base() / (d.gpu->memoryBandwidth.base() * gpuSeconds)};
}

// Of machines of one's own.
DollarsPerSecond electricity(Watts power, const Deployment& d)
{
    return dollarsPerHour(power.base() / 1000 * d.ownPowerPrice);
}

Estimate<Seconds> totalOf(const RequestCycle& cycle, const Estimate<Seconds>& alone,
                          const Estimate<Seconds>& underLoad)
{
    const Estimate<Seconds> waits{cycle.admission, cycle.admission, cycle.admission, underLoad.source};
    const Estimate<Seconds> before = sum(sum(sum(waits, cycle.prompt), cycle.inLine), cycle.turn);
    const Estimate<Seconds> beside = sum(before, underLoad, cycle.beside);
    return cycle.alone == 0 ? beside : sum(beside, alone, cycle.alone);
}

// Who is in the batch waits to be admitted, then for his own prompt, and takes a step for each further token;
// each of the others has a prompt computed meanwhile.
RequestCycle cycleApart(const LoadTimes& times, const Estimate<Seconds>& prompt, const Deployment& d,
                        const Load& load, const Turns& turns)
{
    RequestCycle cycle;
    cycle.admission = times.admission;
    const double output = std::max(load.outputTokens, 1.0);
    if (load.promptElsewhere) {
        cycle.beside = output;
        return cycle;
    }
    cycle.inLine = times.inLine;
    // His own prompt has passes among those of the other lanes, or steps with prompts of the other ranks.
    if (turns.lanes > 1 || (d.layout.dp > 1 && load.batch > 1)) {
        cycle.beside = turns.rounds;
        return cycle;
    }
    const double users = std::max(load.batch, 1.0);
    cycle.prompt = prompt;
    cycle.beside = turns.rounds * (users - 1) / users; // tokens' worth of what all prompts take
    cycle.alone = output - 1 - cycle.beside;
    return cycle;
}

RequestCycle cycleOf(const LoadTimes& times, const Estimate<Seconds>& prompt, const Deployment& d,
                     const Load& load, const Turns& turns)
{
    RequestCycle cycle = cycleApart(times, prompt, d, load, turns);
    const double gathered = times.gathered.share;
    if (gathered <= 0)
        return cycle;
    cycle.admission = cycle.admission * (1 - gathered);
    for (Estimate<Seconds>* part : {&cycle.prompt, &cycle.inLine})
        *part = *part * (1 - gathered);
    cycle.beside *= 1 - gathered;
    cycle.alone *= 1 - gathered;
    cycle.turn = times.gathered.period * gathered;
    return cycle;
}

LoadTimes timesOf(const Prediction& p)
{
    return {p.ttft, p.tpot, p.tpotUnderLoad, p.inLine, p.admission, p.gathered};
}

void addService(Prediction& p, const Deployment& d, const Load& load, const Turns& turns, int replicas)
{
    Service& s = p.service;
    s.gpus = d.layout.gpusPerReplica() * replicas;
    const double output = std::max(load.outputTokens, 1.0);
    const Estimate<Seconds> cycle
        = totalOf(cycleOf(timesOf(p), p.prefill.latency, d, load, turns), p.tpot, p.tpotUnderLoad);
    s.outputTokensPerSecond = inverse<TokensPerSecond>(cycle, load.batch * replicas * output);
    s.totalTokensPerSecond
        = inverse<TokensPerSecond>(cycle, load.batch * replicas * (load.promptTokens + load.outputTokens));
    p.requestsPerSecond = inverse<RequestsPerSecond>(cycle, load.batch * replicas);

    // Between pure decode and prefill: weigh both by the time each takes of the steady mixture.
    const double decodeShare = std::clamp(p.tpot.value / p.tpotUnderLoad.value, 0.0, 1.0);
    const double compute
        = p.decodeComputeUtilisation * decodeShare + p.prefillComputeUtilisation * (1 - decodeShare);
    const double memory
        = p.decodeMemoryUtilisation * decodeShare + p.prefillMemoryUtilisation * (1 - decodeShare);
    const Estimate<Watts> one = powerPerGpu(*d.gpu, *d.node, compute, memory);
    const double gpus = s.gpus;
    s.power = one * gpus;

    const auto perToken = [&](auto rate, const Estimate<TokensPerSecond>& tokens, double scale) {
        using Q = decltype(rate / TokensPerSecond(1) * Tokens(1));
        const auto over
            = [&](TokensPerSecond t) { return Q(t.base() > 0 ? rate.base() / t.base() * scale : 0); };
        return Estimate<Q>{over(tokens.value), over(tokens.high), over(tokens.low), tokens.source};
    };
    s.joulesPerOutputToken = perToken(s.power.value, s.outputTokensPerSecond, 1);
    Deployment paid = d;
    paid.layout.replicas = replicas;
    const std::optional<DollarsPerSecond> hour = paidHour(paid);
    s.priceKnown = hour.has_value();
    if (s.priceKnown) {
        s.price = *hour + electricity(s.power.value, d);
        s.dollarsPerMillionOutputTokens = perToken(s.price, s.outputTokensPerSecond, 1e6);
    }
}

} // namespace

RequestCycle requestCycle(const Prediction& p, const Deployment& d, const Load& load)
{
    return cycleOf(timesOf(p), p.prefill.latency, d, load, turnsOf(d, load));
}

Estimate<Seconds> Predictor::period(const LoadTimes& times, double batch) const
{
    const Load load = loadAt(batch);
    const Turns turns = turnsOf(deployment(), load);
    return totalOf(cycleOf(times, m_prefill.latency, deployment(), load, turns), times.tpot,
                   times.tpotUnderLoad);
}

double tokensPerStep(const SpeculativeDecoding& speculative)
{
    if (speculative.kind == SpeculativeDecoding::Kind::None || speculative.draftTokens <= 0)
        return 1;
    return serve::meanYield(speculative.acceptance, speculative.draftTokens);
}

// Time the draft needs before a step can be verified.
Estimate<Seconds> draftTime(const Deployment& d, const StepShape& decode)
{
    const SpeculativeDecoding& s = d.speculative;
    if (s.kind == SpeculativeDecoding::Kind::DraftModel && s.draft) {
        Deployment draft = d;
        draft.llm = s.draft;
        draft.layout = {.tp = d.layout.tp};
        draft.weights = s.draft->nativeType;
        draft.speculative = {};
        StepShape one = decode;
        one.decodeQueries = 1;
        const Estimate<Seconds> step = StepTimer(draft).rateWithInterval(one);
        return scaled<Seconds>(step, s.draftTokens);
    }
    if (s.kind == SpeculativeDecoding::Kind::Mtp) {
        StepShape one = decode;
        one.decodeQueries = 1;
        one.sampledRows = decode.decodeSequences;
        return scaled<Seconds>(StepTimer(d).draftRate(one), s.draftTokens);
    }
    return {};
}

namespace {

double sequencesOf(const Deployment& deployment, const Load& load)
{
    return std::max(load.batch, 1.0) * std::max(1, deployment.beams);
}

} // namespace

StepShape decodeStep(const Deployment& deployment, const Load& load)
{
    const bool drafts = deployment.speculative.kind != SpeculativeDecoding::Kind::None;
    const double queries = drafts ? deployment.speculative.draftTokens + 1 : 1;
    const double sequences = sequencesOf(deployment, load);
    return {.decodeSequences = sequences,
            .decodeQueries = queries,
            .decodeContext = load.promptTokens + std::max(load.outputTokens, 1.0) / 2,
            .decodeSpan = std::max(load.outputTokens, 1.0) - 1,
            .sampledRows = sequences * queries};
}

MemoryDemand memoryDemand(const Deployment& deployment, const Load& load)
{
    const double output = std::max(load.outputTokens, 1.0);
    return {.sequences = sequencesOf(deployment, load),
            .meanContext = load.promptTokens + output / 2,
            .maxContext = load.promptTokens + output,
            .batchedTokens = load.batchedTokens,
            .memoryFraction = load.memoryFraction};
}

Prediction predict(const Deployment& deployment, const Load& load)
{
    Prediction out = Predictor(deployment, load).at(load.batch);
    tellRanges(out, deployment);
    return out;
}

StepCost Predictor::promptAlone() const
{
    return m_load.promptElsewhere ? StepCost{} : costOf(m_timer, promptSteps(deployment(), m_load));
}

Load Predictor::loadAt(double batch) const
{
    Load load = m_load;
    load.batch = batch;
    return load;
}

MemoryPlan Predictor::memoryAt(double batch) const
{
    return m_memory.plan(memoryDemand(deployment(), loadAt(batch)));
}

LoadTimes Predictor::times(const Load& load, const Turns& turns, const StepShape& decode,
                           const Estimate<Seconds>& decodeRate) const
{
    const Deployment& d = deployment();
    const double output = std::max(load.outputTokens, 1.0);
    const double users = sequencesOf(d, load) / std::max(1, d.beams);
    LoadTimes out;
    // A request is read, and waits for the engine to look at it, while others decode.
    const Estimate<Seconds> prompt = promptOfFirstToken(m_prefill.latency, d, load);
    const double gatheredShare = usersGathered(d, load);
    const double unseen = stepsWaited(d, load) * (1 - gatheredShare);
    const double untilLook = d.engine->limitsFor(d.gpu->memoryUsable, d.gpu->family).stepsUnseen(users);
    const double yield = tokensPerStep(d.speculative);
    const Estimate<Seconds> draft = draftTime(d, decode);
    out.tpot = scaled<Seconds>(sum(decodeRate, draft, 1), 1 / yield);
    if (load.promptElsewhere)
        out.tpot = widened(out.tpot, amongPools);
    const Seconds host = hostOfRequest(d, load);
    out.admission = host + decodeRate.value * unseen;
    const Seconds besides = out.admission + out.tpot.value * tokensBesideFirst(d, output);
    // What whole runs miss of the time to the first token, they miss of all of it: waiting is no surer than
    // computing. Without a prompt of one's own there is only the waiting.
    out.ttft = prompt.value.base() > 0 ? scaled<Seconds>(prompt, (prompt.value + besides) / prompt.value)
                                       : Estimate<Seconds>{besides, besides, besides, decodeRate.source};

    // A full batch takes in batch / output prompts per generated token: chunks ride on some of the decode
    // steps, or whole prompts go between them.
    const auto& [lanes, rounds, waited] = turns;
    if (load.promptElsewhere) {
        out.tpotUnderLoad = out.tpot;
        return out;
    }
    if (gatheredShare >= 1) { // nobody comes while others decode: their turn says it all
        out.gathered = inTurns(load, decode, out.tpot, gatheredShare);
        out.tpotUnderLoad = out.gathered.tpot.value > out.tpot.value ? out.gathered.tpot : out.tpot;
        return out;
    }
    const Steady steady{load,   decode, decodeRate, draft, yield,    users,
                        rounds, waited, lanes,      host,  untilLook};
    const bool held = d.layout.dp > 1 && d.engine->balanceSteps > 0 && users > d.layout.dp;
    const UnderLoad among = held            ? besideHeld(steady)
        : mixesPrompts(d.engine->scheduler) ? besideChunks(steady)
                                            : besidePasses(steady);
    out.tpotUnderLoad = among.tpot;
    out.inLine = among.inLine;
    if (gatheredShare > 0)
        out.gathered = inTurns(load, decode, out.tpot, gatheredShare);
    // The steps that a request waits have prompts of the others, as those of its answer do.
    if (waited > 0) {
        const double others = d.layout.dp > 1 ? 1 : std::max(0.0, 1 - 1 / users);
        out.admission = host + between(out.tpot, out.tpotUnderLoad, others).value * waited;
    }
    return out;
}

LoadTimes Predictor::timesAt(double batch) const
{
    const Load load = loadAt(batch);
    const StepShape decode = decodeStep(deployment(), load);
    const Turns turns = turnsOf(deployment(), load);
    return times(load, turns, decode, m_timer.rateWithInterval(decode, turns.lanes));
}

Prediction Predictor::at(double batch, int replicas) const
{
    const Deployment& d = deployment();
    const Load load = loadAt(batch);
    const StepShape decode = decodeStep(d, load);
    const double output = std::max(load.outputTokens, 1.0);
    Prediction p;
    p.prefill = m_prefill;
    const Turns turns = turnsOf(d, load);
    p.decode = m_timer.cost(decode, turns.lanes);
    const LoadTimes felt = times(load, turns, decode, p.decode.rate);
    p.ttft = felt.ttft;
    p.tpot = felt.tpot;
    p.tpotUnderLoad = felt.tpotUnderLoad;
    p.inLine = felt.inLine;
    p.gathered = felt.gathered;
    p.admission = load.promptElsewhere ? Seconds() : felt.admission;
    p.tokensPerSecondPerUser = inverse<TokensPerSecond>(p.tpot, 1);
    p.tokensPerSecond = inverse<TokensPerSecond>(p.tpot, sequencesOf(d, load) / std::max(1, d.beams));
    p.latency = sum(p.ttft, p.tpot, output - 1 - tokensBesideFirst(d, output));
    p.requestTokensPerSecond = inverse<TokensPerSecond>(p.latency, output);
    p.memory = memoryAt(batch);
    const FlopsPerSecond peak = peakOfProducts(*d.gpu, m_timer.matrices());
    const Utilisation prefill = utilisation(d, peak, p.prefill, p.prefill.latency.value);
    const Utilisation decoding = utilisation(d, peak, p.decode, p.decode.rate.value);
    p.prefillComputeUtilisation = prefill.compute;
    p.prefillMemoryUtilisation = prefill.memory;
    p.decodeComputeUtilisation = decoding.compute;
    p.decodeMemoryUtilisation = decoding.memory;
    addService(p, d, load, turns, replicas);
    return p;
}

} // namespace headroom
