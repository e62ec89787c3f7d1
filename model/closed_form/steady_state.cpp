#include "model/closed_form/steady_state.h"

#include "model/closed_form/steady_replica.h"
#include "model/closed_form/step_budget.h"

#include <algorithm>

namespace headroom::serve {

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
    return state;
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
    SteadyState state
        = oneLaneSaturated(stepTime, busy.ofOneLane(), load, {double(scheduling.lanes), double(busy.lanes)});
    state.requestRate = state.requestRate * busy.lanes; // what lanes do together that each do the same
    return state;
}

} // namespace headroom::serve
