#include "model/plan/answer_traffic.h"

#include "model/plan/load_curve.h"

#include <algorithm>

namespace headroom {

Result<serve::ServingPlan> trafficOn(const Candidate& answer, const Scenario& scenario)
{
    auto plan = serve::servingPlan(scenario, answer.deployment, answer.load,
                                   RequestsPerSecond(answer.maxRequestsPerSecond));
    if (!plan)
        return plan;
    // The simulator's steps follow one another as in a full pipeline; a prompt still passes all of its
    // stages.
    const StepCost& prompt = answer.point.prediction.prefill;
    plan->around.admission += std::max(Seconds(), prompt.latency.value - prompt.rate.value);
    if (answer.prompts)
        plan->setup.prefill
            = serve::prefillPoolOf(answer.prompts->deployment, answer.load, answer.deployment);
    return plan;
}

Scenario atBusiest(Scenario asked, const SizingPlan& plan)
{
    if (!plan.day || !asked.trace.empty())
        return asked;
    asked.traffic = withoutDay(asked.traffic);
    asked.requestsPerSecond = plan.day->curve.peak();
    return asked;
}

} // namespace headroom
