// What a pool that computes prompts is made of.
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

PromptUnit unitWith(const std::shared_ptr<const Resolved>& machine, const Layout& layout)
{
    PromptUnit unit;
    unit.machine = machine;
    unit.deployment = laidOut(machine->deployment, layout);
    const Load prompts = promptLoad(*machine);
    unit.lone = loneRound(unit.deployment, prompts);
    unit.full = fullRound(unit.deployment, prompts);
    const Engine& engine = *unit.deployment.engine;
    unit.ttft = shifted(unit.lone.cost.latency,
                        engine.requestHostTime + engine.tokeniseTime * machine->load.promptTokens);
    unit.kvBytesPerToken = planMemory(unit.deployment, {}).kvBytesPerToken;
    return unit;
}

// Redundant experts of a service are those of every replica that spreads experts.
std::vector<Layout> promptLayouts(const Resolved& machine, const Scenario& scenario)
{
    Scenario prompting = withPromptWidths(scenario);
    std::vector<Layout> out = possibleLayouts(machine, prompting);
    std::erase_if(out, [&](const Layout& l) { return l.redundantExperts != prompting.redundantExperts; });
    if (prompting.redundantExperts == 0)
        return out;
    prompting.redundantExperts = 0;
    for (const Layout& layout : possibleLayouts(machine, prompting))
        if (layout.ep == 1)
            out.push_back(layout);
    std::stable_sort(out.begin(), out.end(), [](const Layout& a, const Layout& b) {
        return a.gpusPerReplica() < b.gpusPerReplica();
    });
    return out;
}

// Of the same size, and no slower for a prompt alone, for prompts in a row and for sending their cache.
bool isAsGood(const PromptUnit& a, const PromptUnit& b)
{
    const Layout& x = a.deployment.layout;
    const Layout& y = b.deployment.layout;
    return x.gpusPerReplica() == y.gpusPerReplica() && a.ttft.value <= b.ttft.value
        && a.ttft.high <= b.ttft.high && a.every() <= b.every() && x.tp * x.pp >= y.tp * y.pp;
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
    for (const Layout& layout : promptLayouts(*machine, scenario)) {
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
