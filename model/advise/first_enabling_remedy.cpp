#include "model/advise/first_enabling_remedy.h"

#include <algorithm>
#include <tuple>

namespace headroom {

namespace {

bool onlySettingsDiffer(const Scenario& changed, const Scenario& asked)
{
    if ((asked.weights && changed.weights != asked.weights) || (asked.kv && changed.kv != asked.kv))
        return false;
    const auto what = [](const Scenario& s) {
        return std::tie(s.model, s.engine, s.gpuCount, s.node, s.gpusPerBox, s.tp, s.pp, s.ep, s.dp,
                        s.replicas, s.prompt, s.output, s.batch, s.concurrency, s.requestsPerSecond,
                        s.targets, s.money.budgetPerHour, s.money.purchaseBudget);
    };
    const auto& named = asked.gpus; // a remedy is of one of the accelerators
    return std::find(named.begin(), named.end(), changed.gpus.front()) != named.end()
        && what(asked) == what(changed);
}

} // namespace

const Remedy* firstEnablingRemedy(const SizingPlan& plan, const Scenario& asked)
{
    const auto found = std::find_if(plan.remedies.begin(), plan.remedies.end(), [&](const Remedy& remedy) {
        return !remedy.scenario.gpus.empty() && onlySettingsDiffer(remedy.scenario, asked);
    });
    return found == plan.remedies.end() ? nullptr : &*found;
}

} // namespace headroom
