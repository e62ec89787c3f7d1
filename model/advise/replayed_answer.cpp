#include "model/advise/replayed_answer.h"

#include "model/search/answer_traffic.h"

#include <optional>
#include <utility>

namespace headroom {

Result<ReplayedAnswer> replayAnswer(const PlanView& planView, const RunControl& control)
{
    const Candidate& answer = planView.answer();
    const Scenario scenario = atBusiest(planView.asked, *planView.sizing);
    const Result<serve::ServingPlan> plan = trafficOn(answer, scenario);
    if (!plan)
        return refuse(plan.error());
    Result<serve::ServingView> serving = serve::makeServingView(*plan, control);
    if (!serving)
        return refuse(serving.error());
    std::optional<PlayedOn> prompts;
    if (answer.prompts)
        prompts.emplace(PlayedOn{answer.prompts->deployment, answer.load});
    const ServedRanges ranges(scenario, {answer.deployment, answer.load}, prompts, *plan, serving->run);
    return ReplayedAnswer{std::move(*serving), ranges};
}

} // namespace headroom
