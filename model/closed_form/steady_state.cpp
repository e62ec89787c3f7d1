#include "model/closed_form/steady_state.h"

#include "model/closed_form/steady_replica.h"
#include "model/closed_form/step_budget.h"

#include <algorithm>
#include <cmath>

namespace headroom::serve {

namespace {

SteadyState completed(SteadyState state, const SteadyLoad& load)
{
    state.latency = state.queue + state.ttft + std::max(load.outputTokens - 1, 0.0) * state.tpot;
    state.ttft += state.queue;
    state.outputRate = state.requestRate * Tokens(load.outputTokens) / Requests(1);
    state.kvTokens = state.running * load.promptTokens + state.decoding * load.outputTokens / 2;
    return state;
}

// Chance that all `servers` are busy (Erlang C), for mean wait = chance * service / (servers - offered).
double erlangWaits(double servers, double offered)
{
    double blocked = 1; // Erlang B by its recursion
    for (double k = 1; k <= servers; ++k)
        blocked = offered * blocked / (k + offered * blocked);
    const double busy = offered / servers;
    return busy < 1 ? blocked / (1 - busy * (1 - blocked)) : 1;
}
} // namespace

double SteadyLoad::newTokens() const
{
    return promptElsewhere ? 0 : std::max(promptTokens - cachedTokens, 1.0);
}
double SteadyLoad::context() const
{
    return decodeContext > 0 ? decodeContext : promptTokens + outputTokens / 2;
}

SteadyLoad meansOf(const Workload& workload)
{
    SteadyLoad load{.promptTokens = 0, .outputTokens = 0};
    double context = 0;
    double decodes = 0;
    for (const Request& request : workload.requests) {
        load.promptTokens += request.promptTokens;
        load.outputTokens += request.outputTokens;
        const double steps = request.outputTokens - 1;
        context += steps * (request.promptTokens + (steps - 1) / 2);
        decodes += steps;
        load.longestOutput = std::max<double>(load.longestOutput, request.outputTokens);
    }
    const double count = std::max<double>(1, static_cast<double>(workload.requests.size()));
    load.promptTokens /= count;
    load.outputTokens /= count;
    load.decodeContext = decodes > 0 ? context / decodes : load.promptTokens;
    return load;
}

namespace {

SteadyState oneLaneSaturated(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                             SteadyReplica::Lanes lanes)
{
    const SteadyReplica replica(stepTime, scheduling, load, lanes);
    SteadyState state = replica.at(replica.roomFor());
    if (state.limit == SteadyLimit::Load)
        state.limit = replica.roomLimit();
    return completed(state, load);
}

SteadyState oneLaneOpenLoop(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                            RequestsPerSecond rate, SteadyReplica::Lanes lanes)
{
    const SteadyReplica replica(stepTime, scheduling, load, lanes);
    SteadyState full = oneLaneSaturated(stepTime, scheduling, load, lanes);
    if (full.requestRate <= rate) {
        full.stable = false;
        return full;
    }
    double low = 0;
    double high = replica.roomFor();
    SteadyState state;
    for (int i = 0; i < 40 && high - low > 1e-4 * high; ++i) {
        const double running = (low + high) / 2;
        state = replica.at(running);
        (state.requestRate < rate ? low : high) = running;
    }
    // An arrival finds a step under way and waits for its end, half a step on average, behind other prompts,
    // and when every slot is taken for one to become free.
    const double yield = scheduling.speculation.meanYield() / (1 - scheduling.guided.forcedShare);
    const Seconds step = load.outputTokens > 1 ? state.tpot * yield : state.ttft;
    const double offered = std::min(state.running, 0.999 * replica.roomFor());
    const double service = offered / rate.base();
    const double waits = erlangWaits(std::floor(replica.roomFor()), offered);
    state.queue = (state.running > 1e-3 ? 0.5 : 0.0) * step + replica.promptQueue(state.decoding) * state.ttft
        + Seconds(waits * service / (replica.roomFor() - offered));
    return completed(state, load);
}

Seconds oneLaneOffline(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                       std::int64_t requests, SteadyReplica::Lanes lanes)
{
    const SteadyReplica replica(stepTime, scheduling, load, lanes);
    const auto count = static_cast<double>(requests);
    const double room = replica.roomFor();
    if (count <= room)
        return Seconds(replica.together(count));
    if (keepsBatch(scheduling.kind))
        return Seconds(std::ceil(count / std::floor(room)) * replica.together(std::floor(room)));
    return Seconds(replica.lasting(count, oneLaneSaturated(stepTime, scheduling, load, lanes)));
}

// What lanes do together that each do the same.
SteadyState together(SteadyState lane, double lanes)
{
    lane.outputRate = lane.outputRate * lanes;
    lane.requestRate = lane.requestRate * lanes;
    lane.decoding *= lanes;
    lane.running *= lanes;
    lane.kvTokens *= lanes;
    return lane;
}

} // namespace

// Lanes that are busy under full load. Who only computes prompts begins a pass when the cache has room for
// it.
int lanesUnderLoad(const Scheduling& scheduling, const SteadyLoad& load)
{
    const bool promptsOnly = load.outputTokens <= 1 && !load.promptElsewhere && !keepsBatch(scheduling.kind);
    if (scheduling.lanes <= 1 || !promptsOnly)
        return scheduling.lanes;
    const PromptRoom room{.cache = double(scheduling.pages()) * scheduling.pageTokens(),
                          .budget = double(scheduling.maxBatchedTokens),
                          .splits = mixesPrompts(scheduling.kind) || scheduling.splitsPrompts};
    return static_cast<int>(passesOfPrompts(room, load.newTokens(), scheduling.lanes));
}

SteadyState steadySaturated(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load)
{
    Scheduling busy = scheduling;
    busy.lanes = lanesUnderLoad(scheduling, load);
    return together(
        oneLaneSaturated(stepTime, busy.ofOneLane(), load, {double(scheduling.lanes), double(busy.lanes)}),
        busy.lanes);
}

SteadyState steadyOpenLoop(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                           RequestsPerSecond rate)
{
    const double lanes = scheduling.lanes;
    return together(oneLaneOpenLoop(stepTime, scheduling.ofOneLane(), load, rate / lanes, {lanes, lanes}),
                    lanes);
}

Seconds offlineTime(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                    std::int64_t requests)
{
    const std::int64_t each = (requests + scheduling.lanes - 1) / scheduling.lanes;
    return oneLaneOffline(stepTime, scheduling.ofOneLane(), load, each,
                          {double(scheduling.lanes), double(scheduling.lanes)});
}

} // namespace headroom::serve
