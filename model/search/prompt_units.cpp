// What a pool that computes prompts is made of.
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"
#include "model/resolve/prompt_pool.h"
#include "model/search/layouts.h"
#include "model/search/pools.h"

#include <algorithm>

namespace headroom {

namespace {

Load promptLoad(const Resolved& machine)
{
    Load prompts = machine.load;
    prompts.batch = 1;
    prompts.outputTokens = 1;
    return prompts;
}

// Between two prompts, kept busy. A prompt stays in the cache until it is sent on: a pipeline takes in no
// more of them than its cache holds.
Seconds betweenPrompts(const PromptUnit& unit, const Load& prompts)
{
    const Deployment& d = unit.deployment;
    const PromptRoom room{.cache = planMemory(d, memoryDemand(d, prompts)).kvCapacityTokens,
                          .budget = stepBudget(d, prompts.promptTokens, 0),
                          .splits = mixesPrompts(d.engine->scheduler) || d.engine->splitsPrompts};
    const double passes = passesOfPrompts(room, std::max(prompts.promptTokens, 1.0), d.layout.pp);
    return passes < d.layout.pp ? std::max(unit.step.rate.value, unit.step.latency.value / passes)
                                : unit.step.rate.value;
}

PromptUnit unitWith(const std::shared_ptr<const Resolved>& machine, const Layout& layout)
{
    PromptUnit unit;
    unit.machine = machine;
    unit.deployment = laidOut(machine->deployment, layout);
    const Load prompts = promptLoad(*machine);
    unit.step = costOf(StepTimer(unit.deployment), promptSteps(unit.deployment, prompts));
    const Engine& engine = *unit.deployment.engine;
    unit.ttft = shifted(unit.step.latency,
                        engine.requestHostTime + engine.tokeniseTime * machine->load.promptTokens);
    unit.every = betweenPrompts(unit, prompts);
    unit.kvBytesPerToken = planMemory(unit.deployment, {}).kvBytesPerToken;
    return unit;
}

// Of the same size, and no slower for a prompt alone, for prompts in a row and for sending their cache.
bool isAsGood(const PromptUnit& a, const PromptUnit& b)
{
    const Layout& x = a.deployment.layout;
    const Layout& y = b.deployment.layout;
    return x.gpusPerReplica() == y.gpusPerReplica() && a.ttft.value <= b.ttft.value
        && a.ttft.high <= b.ttft.high && a.every <= b.every && x.tp * x.pp >= y.tp * y.pp;
}

} // namespace

PromptUnit unitOf(const PromptPool& pool)
{
    Layout layout = pool.deployment.layout;
    layout.replicas = 1;
    return unitWith(pool.machine, layout);
}

std::vector<PromptUnit> promptUnits(const std::shared_ptr<const Resolved>& machine, const Scenario& scenario)
{
    const Load prompts = promptLoad(*machine);
    std::vector<PromptUnit> out;
    for (const Layout& layout : possibleLayouts(*machine, withPromptWidths(scenario))) {
        const Deployment deployment = laidOut(machine->deployment, layout);
        if (!planMemory(deployment, memoryDemand(deployment, prompts)).fits)
            continue;
        PromptUnit unit = unitWith(machine, layout);
        const bool useless = std::any_of(out.begin(), out.end(),
                                         [&](const PromptUnit& other) { return isAsGood(other, unit); });
        if (useless)
            continue;
        std::erase_if(out, [&](const PromptUnit& other) { return isAsGood(unit, other); });
        out.push_back(std::move(unit));
    }
    return out;
}

} // namespace headroom
