#pragma once

#include "model/catalogue/engine.h"
#include "model/cost/step_cost.h"
#include "model/deploy/deployment.h"
#include "model/deploy/range_parts.h"
#include "model/measured/measured_row.h"
#include "model/ranges/run_kind.h"
#include "model/search/prompt_wait.h"
#include "model/serve/measures.h"

namespace headroom {

// What was played, as far as the ranges of its figures depend on it.
struct PlayedRun {
    const Deployment* decodes = nullptr;
    const Deployment* prompts = nullptr; // the same, but where a pool of its own computes them
    RunKind kind = RunKind::ClosedLoop;
    double users = 1;            // or requests at once, of the whole set-up
    double promptTokens = 1;     // mean
    double outputTokens = 1;     // mean
    double outputVariation = 0;  // standard deviation over that mean
    double gapVariation = 1;     // and of the gaps between arrivals
    double requests = 0;         // that were played
    bool lengthsGuessed = false; // of real texts only the mean is known
    bool looksStated = false;    // how often the server looks for requests is known

    [[nodiscard]] double usersOfReplica() const { return users / decodes->layout.replicas; }
};

// As the scenario says, else as many as its rate keeps there.
[[nodiscard]] inline double usersOf(const Scenario& scenario, double byRate)
{
    return scenario.concurrency.value_or(byRate);
}

// What a replay showed, and what its times rest on.
struct ServedFigures {
    serve::Spread ttft, tpot, interToken, latency;
    Seconds gapAtWork, gap; // as in serve::Measures
    Seconds simulated;      // from the first arrival to the last end
    double ofCapacity = 0;  // what comes by the clock over what can be served; 0: nothing comes so
    StepCost prefill;       // one prompt alone
    StepCost decode;        // the running batch
    double batch = 0;       // sequences in that batch, one replica
    // Standard deviation of ln(measured / predicted) that operators and engine answer for.
    double lnSpreadPrefill = 0;
    double lnSpreadDecode = 0;
    double lnSpreadFirst = 0;    // of the former the engine's part
    double lnSpreadOfEngine = 0; // and of the latter
    Source source = Source::Prior;
    WaitingPrompt atPrompts; // of a service with two pools; else without a wait
    double servers = 1;      // that take a request in, one after the other
    bool twoPools = false;   // that keep each other busy
};
void takeTimes(ServedFigures& out, const serve::Measures& measures);
// How requests wait for a pool that computes prompts.
[[nodiscard]] WaitingPrompt waitAt(const Deployment& pool, Load prompts, const serve::Measures& measures,
                                   bool takesTurns);
// Sequences that run at once in a replica: as asked, or as many as there is room for. `byRate`: what a rate
// of arrivals keeps there.
[[nodiscard]] double runningBatch(const PlayedRun& run, double byRate);
// A lone prompt and the running batch of so many, and how unsure both are.
void takeSteps(ServedFigures& out, const PlayedRun& run, double batch);

// What whole runs of an engine miss beyond the spread of their operators.
struct EngineSpread {
    double prefill = 0;
    double decode = 0;
};

// Share of the metric's time that prompts take: it decides whose spread counts.
[[nodiscard]] double prefillShare(const ServedFigures& figures, Metric metric, Statistic statistic);
// Standard deviation of ln(measured / predicted), were it the same to both sides; `engine` comes on top of
// what the figures hold already.
[[nodiscard]] double lnSpreadOf(const ServedFigures& figures, const PlayedRun& run, Metric metric,
                                Statistic statistic, const EngineSpread& engine = {});
// How far the range of a metric reaches to either side of that.
[[nodiscard]] RangeSides sidesOf(const PlayedRun& run, Metric metric);

// Where 80 per cent of servers are: between so many times a figure and so many times.
struct RangeFactors {
    double low = 1;
    double high = 1;
};
[[nodiscard]] RangeFactors rangeOf(const ServedFigures& figures, const PlayedRun& run, Metric metric,
                                   Statistic statistic, const EngineSpread& engine = {});

// A distribution of times or lengths by one of its numbers.
[[nodiscard]] Seconds valueOf(const serve::Spread& spread, Statistic statistic);

} // namespace headroom
