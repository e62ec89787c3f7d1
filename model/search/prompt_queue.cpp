#include "model/search/prompt_queue.h"

#include "model/closed_form/step_budget.h"
#include "model/memory/memory_plan.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

PromptRoom roomOf(const Deployment& d, const Load& load)
{
    // Each rank keeps the prompts that it computes.
    return {.cache = planMemory(d, memoryDemand(d, load)).kvCapacityTokens / d.layout.dp,
            .budget = stepBudget(d, load.promptTokens, 0),
            .splits = mixesPrompts(d.engine->scheduler) || d.engine->splitsPrompts};
}

// Prompts that one rank has room for in a step; below 1: part of one.
double promptsPerRank(const Deployment& d, const PromptRoom& room, const Load& load)
{
    const double held = std::floor(room.cache / std::max(load.promptTokens, 1.0));
    const double sequences = double(d.engine->limitsFor(d.gpu->memoryUsable, d.gpu->family).maxSequences);
    double most = std::max(1.0, sequences > 0 ? std::min(held, sequences) : held);
    if (room.budget > 0)
        most = std::min(most, room.budget / newPromptTokens(load));
    return room.splits ? most : std::max(1.0, std::floor(most));
}

StepShape times(StepShape shape, double ranks)
{
    shape.prefillTokens *= ranks;
    shape.prefillSequences *= ranks;
    shape.sampledRows *= ranks;
    return shape;
}

PromptSteps onEveryRank(PromptSteps steps, double ranks)
{
    steps.each = times(steps.each, ranks);
    if (steps.last) {
        steps.last = times(*steps.last, ranks);
        steps.beforeLast = times(*steps.beforeLast, ranks);
    }
    return steps;
}

// A prompt stays in the cache until it is sent on: a pipeline takes in no more of them than its cache holds.
Seconds entriesOf(const Deployment& d, const PromptRoom& room, const Load& load, const StepCost& cost)
{
    const double stages = d.layout.pp;
    const double passes = passesOfPrompts(room, std::max(load.promptTokens, 1.0), stages);
    return passes < stages ? std::max(cost.rate.value, cost.latency.value / passes) : cost.rate.value;
}

// A value between that of one prompt and that of a full round.
Seconds between(Seconds lone, Seconds full, double share) { return lone + (full - lone) * share; }

} // namespace

PromptRound loneRound(const Deployment& deployment, const Load& load)
{
    const PromptSteps steps = promptSteps(deployment, load);
    PromptRound out{.cost = costOf(StepTimer(deployment), steps), .every = {}, .parts = steps.count};
    out.every = entriesOf(deployment, roomOf(deployment, load), load, out.cost);
    return out;
}

PromptRound fullRound(const Deployment& deployment, const Load& load)
{
    const PromptRoom room = roomOf(deployment, load);
    const double ranks = deployment.layout.dp;
    const double each = promptsPerRank(deployment, room, load);
    PromptRound out;
    out.whole = each >= 1;
    out.prompts = out.whole ? each * ranks : ranks;
    const PromptSteps steps = out.whole ? PromptSteps{promptsStep(load, out.prompts), 1}
                                        : onEveryRank(promptSteps(deployment, load), ranks);
    out.parts = steps.count;
    out.cost = costOf(StepTimer(deployment), steps);
    out.every = entriesOf(deployment, room, load, out.cost);
    return out;
}

Seconds promptDelay(const PromptRound& lone, const PromptRound& full, double requestsPerSecond,
                    double mostBusy)
{
    const Seconds each = full.every / full.prompts;
    const double busy = std::min(requestsPerSecond * each.base(), mostBusy);
    const double rate = busy / each.base();
    const Seconds alone = lone.cost.latency.value;
    const Seconds together = full.cost.latency.value;
    if (!full.whole) { // as many servers as ranks: Sakasegawa's M/D/c, whose ranks slow one another down
        const double servers = full.prompts;
        const Seconds service = between(lone.every, full.every, busy);
        const Seconds queue
            = service * (std::pow(busy, std::sqrt(2 * (servers + 1)) - 1) / (2 * servers * (1 - busy)));
        const Seconds toNextStep = servers > 1 ? service * (busy / (2 * full.parts)) : Seconds();
        return queue + toNextStep + between(alone, together, busy) - alone;
    }
    // Passes take whoever waits: as many as come during one. Who comes while one is under way sees more often
    // a long one, and shares his own with all who came during it.
    const double others = full.prompts - 1;
    const double more = others > 0 ? (full.every - lone.every).base() / others : 0; // for each further prompt
    const double first = lone.every.base() - more;
    const double taken
        = rate * more < 1 ? std::clamp(rate * first / (1 - rate * more), 1.0, full.prompts) : full.prompts;
    const double pass = first + more * taken;
    const double underWay = std::min(1.0, rate * pass / taken);
    const double seen = pass + more * more * taken / pass;
    const double shared = std::min(full.prompts, 1 + underWay * rate * pass);
    const double share = others > 0 ? (shared - 1) / others : 0;
    const Seconds queue = each * (busy * busy / (2 * (1 - busy)));
    return Seconds(seen * underWay / 2) + queue + between(alone, together, share) - alone;
}

} // namespace headroom
