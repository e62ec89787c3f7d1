#include "calib/validate/run_figures.h"

#include "calib/validate/step_table.h"
#include "model/memory/memory_plan.h"
#include "model/plan/step_budget.h"
#include "model/serve/serving_setup.h"
#include "model/serve/simulate.h"
#include "model/yaml/efficiency_source.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <random>

namespace headroom {
namespace {

constexpr double ninetiethPercentile = 1.2815515655446004; // of a unit normal

double lnSpreadOf(const Estimate<Seconds>& estimate)
{
    return estimate.value.base() > 0 ? std::log(estimate.high / estimate.value) / ninetiethPercentile : 0;
}

void describe(RunFigures& out, const StepTimer& timer, const RowCase& run, double batch)
{
    const double prompt = std::max(1.0, run.prompt.mean());
    out.prefill = timer.cost({.prefillTokens = prompt, .prefillSequences = 1, .sampledRows = 1});
    out.decode = timer.cost({.decodeSequences = std::max(1.0, batch),
                             .decodeContext = prompt + run.output.mean() / 2,
                             .sampledRows = std::max(1.0, batch)});
    out.lnSpreadPrefill = lnSpreadOf(out.prefill.latency);
    out.lnSpreadDecode = lnSpreadOf(out.decode.rate);
    out.source = worse(out.prefill.rate.source, out.decode.rate.source);
    out.batch = batch;
}

// A row that states only the mean of its lengths leaves their distribution to a guess; fitted like the
// engines' spreads.
constexpr double lnSpreadOfGuess = 0.3;

// One batch, all prompts together, everyone to the end.
RunFigures staticRun(const RowCase& run)
{
    RunFigures out;
    const StepTimer timer(run.deployment);
    const double replicas = run.deployment.layout.replicas;
    const double batch = std::max(1.0, run.amount / replicas);
    const double prompt = std::max(1.0, run.prompt.mean());
    const double answer = std::max(1.0, run.output.mean());
    describe(out, timer, run, batch);
    out.meanOutput = answer;
    // Engines with a token budget take in a large batch in several steps.
    const double stated = double(run.deployment.engine->maxBatchedTokens);
    const double budget = stated > 0 ? stated : 1e18;
    const double perStep = std::clamp(std::floor(budget / prompt), 1.0, batch);
    const double steps = std::ceil(batch / perStep);
    const StepShape prompts{.prefillTokens = prompt * batch / steps,
                            .prefillSequences = batch / steps,
                            .sampledRows = batch / steps};
    out.ttft = timer.cost(prompts).latency.value.base() * steps;
    // The cache grows by the answer: a step is nearly linear in it.
    out.tpot = out.decode.rate.value.base();
    out.latency = out.ttft + out.tpot * (answer - 1);
    return out;
}

StepLimits limitsOf(const RowCase& run)
{
    const Gpu& gpu = *run.deployment.gpu;
    return run.deployment.engine->limitsFor(gpu.memoryUsable, gpu.family);
}

serve::Scheduling schedulingOf(const RowCase& run)
{
    serve::Scheduling scheduling = serve::schedulingOf(
        run.deployment, {.promptTokens = run.prompt.mean(), .outputTokens = run.output.mean()});
    scheduling.prefixCache = false; // benchmarks send random prompts
    scheduling.receiveInterval
        = static_cast<std::int32_t>(std::lround(limitsOf(run).intervalFor(run.amount)));
    const double ranks = run.deployment.layout.dp * run.deployment.layout.replicas;
    scheduling.maxBatchedTokens
        = std::llround(stepBudget(run.deployment, run.prompt.quantile(0.99), run.amount / ranks))
        * run.deployment.layout.dp;
    return scheduling;
}

// A run so many times longer than its engine is wide is steady: what fills and drains is a part of a tenth.
constexpr double steadyRounds = 10;

// Requests of the run on one replica. How many the run had if it says so, else enough that its start is
// forgotten.
std::int64_t requestsOf(const RowCase& run, double users, double most)
{
    if (run.kind == RunKind::Burst)
        return std::llround(users);
    const double stated = run.finiteRequests / run.deployment.layout.replicas;
    if (stated > 0 && (run.kind != RunKind::Saturated || stated < steadyRounds * most))
        return std::llround(std::max(1.0, stated));
    constexpr double rounds = 10; // usual of load tools: ten prompts for each user
    if (run.kind == RunKind::OpenLoop)
        return 500;
    return std::llround(
        std::clamp((run.kind == RunKind::Saturated ? 3 * most : rounds * users), 16.0, 12000.0));
}

serve::Workload workloadOf(const RowCase& run, std::int64_t count, double users)
{
    serve::Workload work;
    std::mt19937_64 random(11); // any fixed seed: the same run is always replayed alike
    double clock = 0;
    std::exponential_distribution<double> gap(run.kind == RunKind::OpenLoop ? std::max(users, 1e-9) : 1);
    for (std::int64_t i = 0; i < count; ++i) {
        serve::Request request;
        request.promptTokens = static_cast<std::int32_t>(std::max(1.0, run.prompt.sample(random)));
        request.outputTokens = static_cast<std::int32_t>(std::max(1.0, run.output.sample(random)));
        if (run.kind == RunKind::OpenLoop) {
            clock += gap(random);
            request.arrival = Seconds(clock);
        }
        work.requests.push_back(request);
    }
    if (run.kind == RunKind::ClosedLoop)
        work.users = static_cast<std::int32_t>(std::max<std::int64_t>(1, std::llround(users)));
    return work;
}

struct Rates {
    double seconds = 0;
    double output = 0; // tokens
    double prompt = 0;
    double requests = 0;
};

// Tokens generated until `horizon`, those of running requests in proportion.
Rates countUntil(const serve::Workload& work, const std::vector<serve::Outcome>& outcomes, double horizon)
{
    Rates rates{.seconds = horizon};
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const serve::Outcome& o = outcomes[i];
        if (o.state != serve::Outcome::State::Done)
            continue;
        const double first = o.firstToken.base();
        const double end = o.end.base();
        const double share = horizon >= end ? 1 : horizon <= first ? 0 : (horizon - first) / (end - first);
        rates.output += share * work.requests[i].outputTokens;
        rates.prompt += horizon >= first ? work.requests[i].promptTokens : 0;
        rates.requests += share;
    }
    return rates;
}

void summarise(RunFigures& out, const RowCase& run, const serve::Workload& work,
               const std::vector<serve::Outcome>& outcomes)
{
    double ttft = 0, tpot = 0, latency = 0, tokens = 0, done = 0, last = 0, lastStart = 0;
    double answers = 0;
    for (std::size_t i = 0; i < outcomes.size(); ++i) {
        const serve::Outcome& o = outcomes[i];
        if (o.state != serve::Outcome::State::Done)
            continue;
        const double answer = work.requests[i].outputTokens;
        ttft += (o.firstToken - o.arrival).base();
        latency += (o.end - o.arrival).base();
        if (answer > 1) {
            tpot += (o.end - o.firstToken).base() / (answer - 1);
            ++answers;
        }
        tokens += answer;
        ++done;
        last = std::max(last, o.end.base());
        lastStart = std::max(lastStart, o.start.base());
    }
    if (done == 0) {
        out.refused = "no request of this run would ever be served";
        return;
    }
    out.ttft = ttft / done;
    out.tpot = answers > 0 ? tpot / answers : 0;
    out.latency = latency / done;
    out.meanOutput = tokens / done;
    // Of a saturated run without end the ramp-down is cut where nobody waits any more. A finite one counts to
    // its end.
    const bool finite = run.finiteRequests > 0
        && std::llround(run.finiteRequests / run.deployment.layout.replicas)
            == static_cast<std::int64_t>(outcomes.size());
    const bool cut = run.kind == RunKind::Saturated && !finite && lastStart > 0.3 * last;
    const Rates rates = countUntil(work, outcomes, cut ? lastStart : last);
    const double replicas = run.deployment.layout.replicas;
    out.outputRate = replicas * rates.output / rates.seconds;
    out.totalRate = replicas * (rates.output + rates.prompt) / rates.seconds;
    out.requestRate = replicas * rates.requests / rates.seconds;
}

RunFigures simulatedRun(const RowCase& run)
{
    RunFigures out;
    const double replicas = run.deployment.layout.replicas;
    const double users = std::max(run.kind == RunKind::OpenLoop ? 0.0 : 1.0, run.amount / replicas);
    const MemoryPlan memory = memoryOf(run, 1);
    if (!memory.fits) {
        out.refused = "does not fit into memory by this program's count";
        return out;
    }
    const serve::Scheduling scheduling = schedulingOf(run);
    const double room = std::min(memory.maxBatch, double(scheduling.sequenceLimit()));
    const std::int64_t count = requestsOf(run, users, room);
    const serve::Workload work = workloadOf(run, count, users);
    StepTable table(run.deployment);
    const serve::ServingSetup setup{
        .pool = {.scheduling = scheduling, .stepTime = [&](const StepShape& shape) { return table(shape); }},
        .reception = {.perPromptToken
                      = run.kind == RunKind::Saturated ? Seconds{} : run.deployment.engine->tokeniseTime}};
    const Result<serve::Simulation> simulation = serve::simulate(setup, work);
    if (!simulation) {
        out.refused = simulation.error().front().where + ": " + simulation.error().front().what;
        return out;
    }
    const double asked = run.kind == RunKind::Saturated || run.kind == RunKind::Burst ? room : users;
    describe(out, table.timer(), run, std::min(room, asked));
    summarise(out, run, work, simulation->outcomes);
    // Those who take turns fall into the steps of the others, never into their own; one alone finds it idle.
    const bool turns = run.kind == RunKind::ClosedLoop;
    out.fallenInto = simulation->replicas.front().stepFallenInto().base() * (turns ? (users - 1) / users : 1);
    out.atWork = turns ? std::min(1.0, users - 1) : 1;
    return out;
}

// Whether an engine that takes in requests one by one runs this batch all at once.
bool holdsBatch(const RowCase& run)
{
    if (run.deployment.engine->scheduler == SchedulerKind::Static)
        return true;
    const double batch = std::max(1.0, run.amount / run.deployment.layout.replicas);
    const MemoryPlan memory = memoryOf(run, 1);
    return !memory.fits || batch <= std::min(memory.maxBatch, double(schedulingOf(run).sequenceLimit()));
}

// A batch that is larger than what fits at once: the last of it begins when the first has ended.
RunFigures batchInTurns(const RowCase& run)
{
    RowCase queued = run;
    queued.kind = RunKind::Burst;
    RunFigures out = simulatedRun(queued);
    if (out.requestRate > 0)
        out.latency = std::max(run.amount, double(run.deployment.layout.replicas)) / out.requestRate;
    return out;
}

double inUnit(const RunFigures& f, const RowCase& run, Metric metric)
{
    constexpr double milli = 1e3;
    switch (metric) {
    case Metric::OutputThroughput:
        return f.outputRate;
    case Metric::TotalThroughput:
        return f.totalRate;
    case Metric::DecodeRatePerUser:
        return run.rateIncludesPrefill ? f.meanOutput / f.latency : 1 / f.tpot;
    case Metric::Ttft:
        return f.ttft * milli;
    case Metric::Tpot:
        return f.tpot * milli;
    case Metric::Latency:
        return f.latency;
    case Metric::RequestRate:
        return f.requestRate;
    }
    return 0;
}

} // namespace

RunFigures replayed(const RowCase& run)
{
    if (run.kind != RunKind::Static)
        return simulatedRun(run);
    return holdsBatch(run) ? staticRun(run) : batchInTurns(run);
}

RunFigures admitted(RunFigures figures, const RowCase& run)
{
    const Engine& engine = *run.deployment.engine;
    if (run.kind != RunKind::Static) {
        const double admission = engine.requestHostTime.base()
            + serve::waitOf(engine.admissionSteps, Seconds(figures.fallenInto),
                            Seconds(figures.tpot * figures.atWork))
                  .base();
        figures.ttft += admission + tokensBesideFirst(run.deployment, figures.meanOutput) * figures.tpot;
        figures.latency += admission;
        return figures;
    }
    // The whole batch waits for its admission, so the run's rates contain it.
    figures.ttft += engine.requestHostTime.base();
    figures.latency += engine.requestHostTime.base();
    figures.requestRate = std::max(run.amount, double(run.deployment.layout.replicas)) / figures.latency;
    figures.outputRate = figures.requestRate * figures.meanOutput;
    figures.totalRate = figures.requestRate * (figures.meanOutput + std::max(1.0, run.prompt.mean()));
    return figures;
}

RunFigures runFigures(const RowCase& run) { return admitted(replayed(run), run); }

double prefillShare(const RunFigures& figures, Metric metric)
{
    if (metric == Metric::Ttft)
        return 1;
    return figures.latency > 0 ? std::clamp(figures.ttft / figures.latency, 0.0, 1.0) : 0.5;
}

// How often the server looks for requests is a setting. Where the row does not state it, anything from always
// to the usual is likely: a quarter of it to either side of the mean wait.
double lnSpreadOfLooks(const RunFigures& figures, const RowCase& run, Metric metric)
{
    const bool waits = metric == Metric::Ttft || metric == Metric::Latency;
    if (!waits || run.kind == RunKind::Static || run.options.receiveInterval)
        return 0;
    const double steps = limitsOf(run).stepsUnseen(run.amount) / 2;
    const double whole = metric == Metric::Ttft ? figures.ttft : figures.latency;
    return whole > 0 ? steps * figures.tpot / whole : 0;
}

double lnSpreadOf(const RunFigures& figures, const RowCase& run, Metric metric, const EngineSpread& engine)
{
    const double share = prefillShare(figures, metric);
    const double operatorsAndEngine
        = std::hypot(std::hypot(figures.lnSpreadPrefill, engine.prefill) * share,
                     std::hypot(figures.lnSpreadDecode, engine.decode) * (1 - share));
    return std::hypot(operatorsAndEngine, lnSpreadOfLooks(figures, run, metric),
                      run.lengthsGuessed ? lnSpreadOfGuess : 0);
}

Estimate<double> figureOf(const RunFigures& figures, const RowCase& run, Metric metric,
                          const EngineSpread& engine)
{
    const double value = inUnit(figures, run, metric);
    const double factor = std::exp(ninetiethPercentile * lnSpreadOf(figures, run, metric, engine));
    return {value, value / factor, value * factor, figures.source};
}

double physicalLimit(const RowCase& run, Metric metric)
{
    static const EfficiencySet ideal = idealEfficiency();
    static const Engine bare{.id = "ideal", .memoryFraction = 1};
    RowCase best = run;
    best.deployment.efficiency = &ideal;
    best.deployment.engine = &bare;
    const StepTimer timer(best.deployment);
    const double prompt = std::max(1.0, run.prompt.mean());
    const double answer = std::max(1.0, run.output.mean());
    const double replicas = run.deployment.layout.replicas;
    constexpr double milli = 1e3;
    // A lone prompt, and a step of one sequence: no load makes them faster.
    const double first
        = timer.cost({.prefillTokens = prompt, .prefillSequences = 1, .sampledRows = 1}).latency.value.base();
    const double one
        = timer.cost({.decodeSequences = 1, .decodeContext = prompt, .sampledRows = 1}).rate.value.base();
    const double users
        = run.kind == RunKind::Static || run.kind == RunKind::ClosedLoop ? run.amount / replicas : 0;
    // Compute and bandwidth bound the rate of any batch: weights once for all, cache and arithmetic for each.
    const MemoryPlan memory = memoryOf(best, 1);
    const double batch = users > 0 ? std::max(1.0, users) : std::max(1.0, memory.maxBatch);
    const double step
        = timer.cost({.decodeSequences = batch, .decodeContext = prompt + answer / 2, .sampledRows = batch})
              .rate.value.base();
    // Short prompts are computed together: the weights are read once for all of them.
    const double prompts
        = timer.cost({.prefillTokens = prompt * batch, .prefillSequences = batch, .sampledRows = batch})
              .rate.value.base();
    const double most = replicas * batch / (step + prompts / answer);
    switch (metric) {
    case Metric::Ttft:
        return first * milli;
    case Metric::Tpot:
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
