#include "model/ranges/served_spread.h"

#include "model/base/estimate.h"
#include "model/closed_form/hand_over.h"
#include "model/memory/memory_plan.h"
#include "model/ranges/spread_parts.h"
#include "model/search/prompt_queue.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

double lnSpreadOf(const Estimate<Seconds>& estimate)
{
    return estimate.value.base() > 0 ? std::log(estimate.high / estimate.value) / deviationsToNinetieth : 0;
}

// What is left of a whole spread without a part of it.
double beside(double whole, double part) { return std::sqrt(std::max(0.0, whole * whole - part * part)); }

// A row that states only the mean of its lengths leaves their distribution to a guess; fitted like the
// engines' spreads.
constexpr double lnSpreadOfGuess = 0.3;

// How often the server looks for requests is a setting. Where the run does not state it, anything from always
// to the usual is likely: a quarter of it to either side of the mean wait.
double lnSpreadOfLooks(const ServedFigures& figures, const PlayedRun& run, Metric metric)
{
    const bool waits = metric == Metric::Ttft || metric == Metric::Latency;
    if (!waits || run.kind == RunKind::Static || run.looksStated)
        return 0;
    const Deployment& d = *run.decodes;
    const StepLimits limits = d.engine->limitsFor(d.gpu->memoryUsable, d.gpu->family);
    const double steps = limits.stepsUnseen(run.users) / 2;
    const serve::Spread& whole = metric == Metric::Ttft ? figures.ttft : figures.latency;
    return whole.mean.base() > 0 ? steps * figures.tpot.mean.base() / whole.mean.base() : 0;
}

// Of the whole service, which arrivals by the clock decide.
bool isThroughput(Metric metric) { return fasterIsMore(metric) && metric != Metric::DecodeRatePerUser; }

// What comes by the clock is served, however long each takes, as long as it can be. Unsure are the end of the
// run, which waits for the last of them, and what so few gaps and answers come to: some load tools scale gaps
// to the rate that is asked (vLLM's), others leave it to chance (SGLang's).
double lnSpreadOfArrivals(const ServedFigures& figures, const PlayedRun& run, Metric metric, double times)
{
    const double whole = figures.simulated.base();
    const double end = whole > 0 ? std::min(1.0, figures.latency.mean.base() / whole) : 1;
    const double toSpare = figures.ofCapacity > 0 ? std::max(0.0, -std::log(figures.ofCapacity)) : 0;
    const double overload = std::max(0.0, times - toSpare / deviationsToNinetieth);
    const bool tokens = metric != Metric::RequestRate;
    const double few = std::hypot(run.gapVariation, tokens ? run.outputVariation : 0)
        / std::sqrt(std::max(1.0, run.requests));
    const double guess = tokens && run.lengthsGuessed ? lnSpreadOfGuess : 0;
    return std::hypot(std::max(times * end, overload), std::hypot(few, guess));
}

} // namespace

void takeTimes(ServedFigures& out, const serve::Measures& measures)
{
    out.ttft = measures.ttft;
    out.tpot = measures.tpot;
    out.interToken = measures.interToken;
    out.latency = measures.latency;
    out.gapAtWork = measures.gapAtWork;
    out.gap = measures.gap;
    out.simulated = measures.simulated;
}

double runningBatch(const PlayedRun& run, double byRate)
{
    const double asked = run.kind == RunKind::OpenLoop ? byRate : run.usersOfReplica();
    const MemoryPlan memory = planMemory(*run.decodes,
                                         {.sequences = 1,
                                          .meanContext = run.promptTokens + run.outputTokens / 2,
                                          .maxContext = run.promptTokens + run.outputTokens});
    return std::max(1.0, std::min(asked, memory.maxBatch));
}

WaitingPrompt waitAt(const Deployment& pool, Load prompts, const serve::Measures& m, bool takesTurns)
{
    prompts.batch = 1;
    prompts.outputTokens = 1;
    const PromptRound round = fullRound(pool, prompts);
    const double busy = m.requestRate.base() * round.every.base() / round.prompts / pool.layout.replicas;
    return {.ttft = m.ttft.mean,
            .wait = m.queue.mean,
            .decodes = m.latency.mean - m.ttft.mean,
            .busy = busy,
            .takesTurns = takesTurns};
}

void takeSteps(ServedFigures& out, const PlayedRun& run, double batch)
{
    const double prompt = std::max(1.0, run.promptTokens);
    out.prefill
        = StepTimer(*run.prompts).cost({.prefillTokens = prompt, .prefillSequences = 1, .sampledRows = 1});
    out.decode = StepTimer(*run.decodes)
                     .cost({.decodeSequences = std::max(1.0, batch),
                            .decodeContext = prompt + run.outputTokens / 2,
                            .sampledRows = std::max(1.0, batch)});
    out.lnSpreadPrefill = lnSpreadOf(out.prefill.latency);
    out.lnSpreadDecode = lnSpreadOf(out.decode.rate);
    out.lnSpreadFirst = lnSpreadOfPrompts(*run.prompts);
    out.lnSpreadOfEngine = lnSpreadOfDecodes(*run.decodes);
    out.source = worse(out.prefill.rate.source, out.decode.rate.source);
    out.batch = batch;
}

Seconds valueOf(const serve::Spread& spread, Statistic statistic)
{
    switch (statistic) {
    case Statistic::Mean:
        return spread.mean;
    case Statistic::P50:
        return spread.p50;
    case Statistic::P75:
        return spread.p75;
    case Statistic::P90:
        return spread.p90;
    case Statistic::P95:
        return spread.p95;
    case Statistic::P99:
        return spread.p99;
    }
    return spread.mean;
}

double prefillShare(const ServedFigures& figures, Metric metric, Statistic statistic)
{
    if (metric == Metric::Ttft)
        return 1;
    // Between two tokens stands a step, and in a long one the prompts that were computed with it.
    if (metric == Metric::InterToken && statistic != Statistic::Mean) {
        const double usual = figures.interToken.p50.base();
        const double whole = valueOf(figures.interToken, statistic).base();
        return whole > 0 ? std::clamp(1 - usual / whole, 0.0, 1.0) : 0;
    }
    const double whole = figures.latency.mean.base();
    return whole > 0 ? std::clamp(figures.ttft.mean.base() / whole, 0.0, 1.0) : 0.5;
}

namespace {

// `longer`: times err so many times as far, where what comes by the clock depends on how long they are.
double spreadWith(const ServedFigures& figures, const PlayedRun& run, Metric metric, Statistic statistic,
                  const EngineSpread& engine, double longer)
{
    const double share = prefillShare(figures, metric, statistic);
    const double operators = beside(figures.lnSpreadPrefill, figures.lnSpreadFirst);
    const double ofEngine = std::hypot(
        figures.lnSpreadFirst, engine.prefill * partOfModel(*run.prompts, run.prompts->engine->ownPrompts()));
    const double first = ofEngine
        * partOfFirstToken(metric, run.kind, run.usersOfReplica(), run.prompts->engine->partWhereFewWait);
    const double decodes
        = std::hypot(beside(figures.lnSpreadDecode, figures.lnSpreadOfEngine),
                     std::hypot(figures.lnSpreadOfEngine,
                                engine.decode * partOfModel(*run.decodes, run.decodes->engine->ownDecodes()))
                         * partOfDecodes(metric, run.kind, run.decodes->engine->partOfTokenTimes));
    const double pools = figures.twoPools ? amongPools : 0;
    const double operatorsAndEngine
        = std::hypot(std::hypot(operators, first) * share, std::hypot(decodes, pools) * (1 - share));
    // Before a pool of their own prompts wait for many others.
    const double inLine = metric == Metric::Ttft
        ? lnSpreadOfWait(figures.atPrompts, std::hypot(operators, ofEngine * ofManyPrompts), decodes)
        : 0;
    const double waiting
        = metric == Metric::Ttft && figures.twoPools ? std::hypot(inLine, amongPoolsFirst) : inLine;
    const double handedOver = metric == Metric::Ttft && figures.servers > 1 && figures.ttft.mean.base() > 0
        ? lnSpreadOfHandOver * (figures.gap * handOverSteps / figures.ttft.mean)
        : 0;
    if (run.kind == RunKind::OpenLoop && isThroughput(metric))
        return lnSpreadOfArrivals(figures, run, metric, operatorsAndEngine * longer);
    const double asked
        = std::hypot(lnSpreadOfLooks(figures, run, metric), run.lengthsGuessed ? lnSpreadOfGuess : 0);
    return std::hypot(std::hypot(operatorsAndEngine, waiting), std::hypot(handedOver, asked));
}

} // namespace

double lnSpreadOf(const ServedFigures& figures, const PlayedRun& run, Metric metric, Statistic statistic,
                  const EngineSpread& engine)
{
    return spreadWith(figures, run, metric, statistic, engine, 1);
}

RangeSides sidesOf(const PlayedRun& run, Metric metric)
{
    if (run.kind == RunKind::OpenLoop && isThroughput(metric))
        return {}; // what comes is served, or not
    const bool tokens
        = metric == Metric::Tpot || metric == Metric::DecodeRatePerUser || metric == Metric::InterToken;
    return tokens ? sidesOfTokenTimes(*run.decodes) : sidesOfServing(*run.decodes);
}

RangeFactors rangeOf(const ServedFigures& figures, const PlayedRun& run, Metric metric, Statistic statistic,
                     const EngineSpread& engine)
{
    const auto even = [&](double longer) {
        return deviationsToNinetieth * spreadWith(figures, run, metric, statistic, engine, longer);
    };
    const bool slowIsLow = fasterIsMore(metric);
    double slow = 0, fast = 0;
    if (run.kind == RunKind::OpenLoop && isThroughput(metric)) {
        // How far times reach decides whether the server keeps up.
        const RangeSides times = sidesOfServing(*run.decodes);
        slow = even(times.slower);
        fast = even(times.faster);
    } else {
        const RangeSides sides = sidesOf(run, metric);
        slow = sides.lnSlower(even(1));
        fast = sides.lnFaster(even(1));
    }
    return {.low = std::exp(-(slowIsLow ? slow : fast)), .high = std::exp(slowIsLow ? fast : slow)};
}

} // namespace headroom
