#include "app/desktop/session/applied_change.h"

#include "model/advise/plan_view.h"
#include "model/scenario/scenario_keys.h"
#include "model/scenario/scenario_values.h"
#include "model/scenario/stated_load.h"
#include "model/search/answer_traffic.h"

namespace headroom::app {

Scenario withChange(const PlanView& planView, const Scenario& changed)
{
    Scenario planned = atBusiest(withStatedLoad(planView.asked), *planView.sizing);
    if (planView.sizing->assumed.any())
        planned.targets = planView.sizing->scenario.targets;
    Scenario out = planView.asked;
    for (const ScenarioKey& key : scenarioKeys()) {
        const std::string after = scenarioValue(changed, key.name);
        if (after == scenarioValue(planned, key.name))
            continue;
        out = withoutScenarioKey(std::move(out), key.name);
        if (!after.empty())
            (void)key.set(out, after); // it was read so when it was planned
    }
    return out;
}

} // namespace headroom::app
