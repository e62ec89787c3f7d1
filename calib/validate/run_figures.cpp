#include "calib/validate/run_figures.h"

#include "calib/validate/step_table.h"
#include "model/base/estimate.h"
#include "model/closed_form/hand_over.h"
#include "model/memory/memory_plan.h"
#include "model/scenario/arrival_shape.h"
#include "model/search/answer_traffic.h"
#include "model/serve/serving_setup.h"
#include "model/serve/verdict.h"
#include "model/yaml/efficiency_source.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>

namespace headroom {
namespace {

// What computes the run's prompts.
const Deployment& promptsOn(const RowCase& run)
{
    return run.prompts ? run.prompts->deployment : run.deployment();
}

// The times between which a fit looks for an engine's numbers, on a grid that saves most of the work.
serve::StepTime roundedSteps(const Deployment& deployment)
{
    return
        [table = std::make_shared<StepTable>(deployment)](const StepShape& shape) { return (*table)(shape); };
}

void takeMeasures(RunFigures& out, const serve::Measures& m, const RowCase& run)
{
    takeTimes(out, m);
    out.outputRate = m.outputRate.base();
    out.totalRate = m.outputRate.base() + m.promptRate.base();
    out.requestRate = m.requestRate.base();
    // Of a saturated run without end the ramp-down is cut where nobody waits any more. A finite one counts to
    // its end.
    const bool finite = run.load.finiteRequests > 0
        && std::llround(run.load.finiteRequests) == static_cast<std::int64_t>(run.scenario.requests);
    if (run.load.kind == RunKind::Saturated && !finite && m.whileQueued) {
        out.outputRate = m.whileQueued->output.base();
        out.totalRate = out.outputRate + m.whileQueued->prompt.base();
        out.requestRate = m.whileQueued->requests.base();
    }
    out.meanOutput = m.requestRate.base() > 0 ? m.outputRate.base() / m.requestRate.base() : 1;
}

RunFigures played(const RowCase& run, bool rounded)
{
    RunFigures out;
    if (!memoryOf(run, 1).fits) {
        out.refused = "does not fit into memory by this program's count";
        return out;
    }
    const auto refused = [&out](const Problems& problems) {
        out.refused = say("{}: {}", problems.front().where, Message(problems.front().what));
        return out;
    };
    Result<serve::ServingPlan> plan = trafficOn(asItIs(run.machine, run.scenario), run.scenario);
    if (!plan)
        return refused(plan.error());
    if (run.prompts)
        serve::addPrefillPool(*plan, run.prompts->deployment, run.prompts->load, run.deployment());
    if (run.inTurn)
        plan->setup.routing = serve::Routing::RoundRobin;
    if (rounded) {
        plan->setup.pool.stepTime = roundedSteps(run.deployment());
        if (run.prompts)
            plan->setup.prefill->pool.stepTime = roundedSteps(run.prompts->deployment);
        // Users keep the pace that admission gives them; what it adds to their times, admitted() adds.
        plan->around.intake = {};
    }
    const Result<serve::Workload> work = serve::makeWorkload(plan->traffic);
    if (!work)
        return refused(work.error());
    const Result<serve::Simulation> simulation = serve::simulate(plan->setup, *work);
    if (!simulation)
        return refused(simulation.error());
    const serve::Measures measures = serve::measure(*simulation, *work, plan->around);
    if (measures.measured == 0) {
        out.refused = "no request of this run would ever be served";
        return out;
    }
    const PlayedRun asked = playedRun(run);
    takeSteps(out, asked, runningBatch(asked, run.machine.load.batch));
    takeMeasures(out, measures, run);
    if (run.load.kind == RunKind::OpenLoop)
        out.ofCapacity = plan->offered.value_or(RequestsPerSecond()).base()
            / serve::capacityOf(plan->setup, *work, measures.cachedShare).rate.base();
    out.servers = run.prompts ? 2 : 1;
    out.twoPools = run.prompts && !run.answersAlone;
    out.stepsPlayed = plan->setup.reception.intake.steps;
    if (run.prompts)
        out.atPrompts = waitAt(run.prompts->deployment, run.prompts->load, measures, work->users > 0);
    return out;
}

void shift(serve::Spread& spread, Seconds by)
{
    for (Seconds serve::Spread::*each : {&serve::Spread::mean, &serve::Spread::p50, &serve::Spread::p75,
                                         &serve::Spread::p90, &serve::Spread::p95, &serve::Spread::p99})
        spread.*each += by;
}

// A static batch is done when all of it is: with more than fit at once, the last of it begins when the first
// has ended.
double wholeBatch(const RunFigures& f, const RowCase& run, Seconds admission)
{
    return f.requestRate > 0 ? double(run.scenario.requests) / f.requestRate
                             : (f.latency.mean + admission).base();
}

// `admission`: what every request waits beside what was replayed.
double inUnit(const RunFigures& f, const RowCase& run, Metric metric, Statistic statistic,
              Seconds admission = {})
{
    constexpr double milli = 1e3;
    switch (metric) {
    case Metric::OutputThroughput:
        return f.outputRate;
    case Metric::TotalThroughput:
        return f.totalRate;
    case Metric::DecodeRatePerUser:
        return run.rateIncludesPrefill ? f.meanOutput / (f.latency.mean + admission).base()
                                       : 1 / f.tpot.mean.base();
    case Metric::Ttft:
        return (valueOf(f.ttft, statistic) + admission).base() * milli;
    case Metric::Tpot: // of a pool that only decodes, where a run of one token is a step
        return (run.load.output.mean() <= 1 ? f.decode.rate.value : valueOf(f.tpot, statistic)).base()
            * milli;
    case Metric::InterToken:
        return valueOf(f.interToken, statistic).base() * milli;
    case Metric::Latency:
        return run.load.kind == RunKind::Static
            ? std::max((valueOf(f.latency, statistic) + admission).base(), wholeBatch(f, run, admission))
            : (valueOf(f.latency, statistic) + admission).base();
    case Metric::RequestRate:
        return f.requestRate;
    }
    return 0;
}

Seconds admissionOf(const RunFigures& figures, const EngineTimes& engine)
{
    const Seconds beforeSteps = engine.requestHostTime * figures.servers;
    if (figures.servers > 1)
        return beforeSteps + figures.gap * handOverSteps;
    // Its steps were played: others are so many more or fewer of the usual ones.
    return beforeSteps + figures.gapAtWork * (engine.admissionSteps - figures.stepsPlayed);
}

} // namespace

RunFigures runFigures(const RowCase& run) { return played(run, false); }

RunFigures replayed(const RowCase& run) { return played(run, true); }

RunFigures admitted(RunFigures figures, const EngineTimes& engine)
{
    const Seconds admission = admissionOf(figures, engine);
    shift(figures.ttft, admission);
    shift(figures.latency, admission);
    return figures;
}

double admittedValue(const RunFigures& figures, const RowCase& run, const MeasuredRow& row,
                     const EngineTimes& engine)
{
    return inUnit(figures, run, row.metric, row.statistic, admissionOf(figures, engine));
}

PlayedRun playedRun(const RowCase& run)
{
    const Result<serve::ArrivalShape> arrivals = serve::arrivalsFromText(run.scenario.traffic);
    const RowLoad& load = run.load;
    return {.decodes = &run.deployment(),
            .prompts = &promptsOn(run),
            .kind = load.kind,
            .users = usersOf(run.scenario, run.machine.load.batch * run.deployment().layout.replicas),
            .promptTokens = load.prompt.mean(),
            .outputTokens = load.output.mean(),
            .outputVariation = load.output.variation(),
            .gapVariation = arrivals ? arrivals->gapVariation() : 0,
            .requests = static_cast<double>(run.scenario.requests),
            .lengthsGuessed = load.lengthsGuessed,
            .looksStated = run.scenario.receiveInterval.has_value()};
}

Estimate<double> figureOf(const RunFigures& figures, const RowCase& run, const MeasuredRow& row,
                          const EngineSpread& engine)
{
    const Metric metric = row.metric;
    const double value = inUnit(figures, run, metric, row.statistic);
    const RangeFactors range = rangeOf(figures, playedRun(run), metric, row.statistic, engine);
    return {value, value * range.low, value * range.high, figures.source};
}

double physicalLimit(const RowCase& run, Metric metric)
{
    static const EfficiencySet ideal = idealEfficiency();
    static const Engine bare{.id = "ideal", .memoryFraction = 1};
    RowCase best = run;
    best.machine.deployment.efficiency = &ideal;
    best = best.with(bare);
    if (best.prompts)
        best.prompts->deployment.efficiency = &ideal;
    const StepTimer timer(best.deployment());
    const StepTimer promptTimer(promptsOn(best));
    const double prompt = std::max(1.0, run.load.prompt.mean());
    const double answer = std::max(1.0, run.load.output.mean());
    const double replicas = run.deployment().layout.replicas;
    constexpr double milli = 1e3;
    // A lone prompt, of which every stage of a pipeline may compute a part, and a step of one sequence: no
    // load makes them faster.
    const double first = promptTimer.cost({.prefillTokens = prompt, .prefillSequences = 1, .sampledRows = 1})
                             .rate.value.base();
    const double one
        = timer.cost({.decodeSequences = 1, .decodeContext = prompt, .sampledRows = 1}).rate.value.base();
    const double users = run.load.kind == RunKind::Static || run.load.kind == RunKind::ClosedLoop
        ? run.load.amount / replicas
        : 0;
    // Compute and bandwidth bound the rate of any batch: weights once for all, cache and arithmetic for each.
    const MemoryPlan memory = memoryOf(best, 1);
    const double batch = users > 0 ? std::max(1.0, users) : std::max(1.0, memory.maxBatch);
    const double step
        = timer.cost({.decodeSequences = batch, .decodeContext = prompt + answer / 2, .sampledRows = batch})
              .rate.value.base();
    // Short prompts are computed together: the weights are read once for all of them.
    const double prompts
        = promptTimer.cost({.prefillTokens = prompt * batch, .prefillSequences = batch, .sampledRows = batch})
              .rate.value.base();
    const double decoding = step * (answer - 1) / answer; // a prompt yields the first token itself
    const double most = best.prompts
        ? std::min(replicas * batch / step,
                   best.prompts->deployment.layout.replicas * batch * answer / prompts)
        : replicas * batch / (decoding + prompts / answer);
    switch (metric) {
    case Metric::Ttft:
        return first * milli;
    case Metric::Tpot:
    case Metric::InterToken:
        return one * milli;
    case Metric::DecodeRatePerUser:
        return 1 / one;
    case Metric::Latency:
        return first + one * (answer - 1);
    case Metric::OutputThroughput:
        return most;
    case Metric::TotalThroughput:
        return most * (prompt + answer) / answer;
    case Metric::RequestRate:
        return most / answer;
    }
    return 0;
}

} // namespace headroom
