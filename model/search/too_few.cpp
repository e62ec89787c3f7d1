#include "model/search/too_few.h"

#include "model/scenario/service_load.h"
#include "model/search/judge.h"

#include <algorithm>
#include <utility>

namespace headroom {
namespace {

// Where it would meet the targets, but with less to spare than the scenario keeps free.
Message tooFull(const Candidate& c, const Scenario& scenario)
{
    const ServiceLoad load = loadOf(scenario);
    const double used = load.requestsPerSecond > 0 ? load.requestsPerSecond / c.maxRequestsPerSecond
                                                   : load.users / c.maxConcurrency;
    const double kept = scenario.headroom;
    return used > 1 - kept ? Message(say("{:.0f} % of what it carries would be free, {:.0f} % are kept",
                                         (1 - used) * 100, kept * 100))
                           : Message();
}

} // namespace

std::optional<Candidate> nextTooFew(const SizingPlan& plan)
{
    const bool onItsOwn = plan.cheapest && plan.cheapest->deployment.gpu == plan.answer.deployment.gpu;
    const Candidate& least = onItsOwn ? *plan.cheapest : plan.answer;
    if (const int replicas = least.deployment.layout.replicas; replicas > 1 && !least.prompts) {
        Candidate one = judgeWith(least, replicas - 1, plan.scenario, Depth::Whole);
        if (one.reason.empty())
            one.reason = tooFull(one, plan.scenario);
        return one.reason.empty() ? std::nullopt : std::optional(std::move(one));
    }
    const auto onIts = [&](const Candidate& c, bool meets) {
        return c.meets == meets && c.deployment.gpu == least.deployment.gpu;
    };
    const auto found
        = std::find_if(plan.candidates.begin(), plan.candidates.end(), [&](const Candidate& miss) {
              return onIts(miss, false) && miss.gpus() < least.gpus()
                  && std::none_of(plan.candidates.begin(), plan.candidates.end(), [&](const Candidate& c) {
                         return onIts(c, true) && c.gpus() <= miss.gpus();
                     });
          });
    return found == plan.candidates.end() ? std::nullopt : std::optional(*found);
}

} // namespace headroom
