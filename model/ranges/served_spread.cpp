#include "model/ranges/served_spread.h"

#include "model/base/estimate.h"
#include "model/closed_form/hand_over.h"
#include "model/ranges/spread_parts.h"

#include <algorithm>
#include <cmath>

namespace headroom {
namespace {

double lnSpreadOf(const Estimate<Seconds>& estimate)
{
    return estimate.value.base() > 0 ? std::log(estimate.high / estimate.value) / deviationsToNinetieth : 0;
}

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

void takeSteps(ServedFigures& out, const PlayedRun& run, double batch)
{
    const double prompt = std::max(1.0, run.prompt.mean());
    out.prefill
        = StepTimer(*run.prompts).cost({.prefillTokens = prompt, .prefillSequences = 1, .sampledRows = 1});
    out.decode = StepTimer(*run.decodes)
                     .cost({.decodeSequences = std::max(1.0, batch),
                            .decodeContext = prompt + run.output.mean() / 2,
                            .sampledRows = std::max(1.0, batch)});
    out.lnSpreadPrefill = lnSpreadOf(out.prefill.latency);
    out.lnSpreadDecode = lnSpreadOf(out.decode.rate);
    const Engine& engine = *run.prompts->engine;
    out.lnSpreadFirst = std::hypot(engine.lnSpreadPrefill, engine.lnSpreadSourcePrefill);
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

double lnSpreadOf(const ServedFigures& figures, const PlayedRun& run, Metric metric, Statistic statistic,
                  const EngineSpread& engine)
{
    const double share = prefillShare(figures, metric, statistic);
    const double whole = figures.lnSpreadPrefill;
    const double operators
        = std::sqrt(std::max(0.0, whole * whole - figures.lnSpreadFirst * figures.lnSpreadFirst));
    const double ofEngine = std::hypot(figures.lnSpreadFirst, engine.prefill);
    const double first = ofEngine * partOfFirstToken(metric, run.kind);
    const double decodes
        = std::hypot(figures.lnSpreadDecode, engine.decode * partOfDecodes(metric, run.kind));
    const double operatorsAndEngine = std::hypot(std::hypot(operators, first) * share, decodes * (1 - share));
    // Before a pool of their own prompts wait for many others.
    const double waiting = metric == Metric::Ttft
        ? lnSpreadOfWait(figures.atPrompts, std::hypot(operators, ofEngine * ofManyPrompts), decodes)
        : 0;
    const double handedOver = metric == Metric::Ttft && figures.servers > 1 && figures.ttft.mean.base() > 0
        ? lnSpreadOfHandOver * (figures.gap * handOverSteps / figures.ttft.mean)
        : 0;
    const double asked
        = std::hypot(lnSpreadOfLooks(figures, run, metric), run.lengthsGuessed ? lnSpreadOfGuess : 0);
    return std::hypot(std::hypot(operatorsAndEngine, waiting), std::hypot(handedOver, asked));
}

} // namespace headroom
