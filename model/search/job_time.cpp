#include "model/search/job_time.h"

#include "model/scenario/stated_load.h"

#include <algorithm>

namespace headroom {

std::optional<JobTime> jobTime(const SizingPlan& plan) { return jobTime(plan.scenario, plan.answer); }

std::optional<JobTime> jobTime(const Scenario& s, const Candidate& a)
{
    const std::optional<double> requests = requestsOfJob(s);
    const double replicas = a.deployment.layout.replicas;
    const double rate = a.maxRequestsPerSecond * std::max(1.0, replicas - s.spares) / replicas;
    if (!requests || !a.point.prediction.memory.fits || rate <= 0)
        return std::nullopt;
    JobTime out{.requests = *requests,
                .tokens = *requests * (s.prompt.mean() + s.output.mean()),
                .time = Seconds(*requests / rate),
                .price = std::nullopt,
                .apiPrice = std::nullopt};
    if (const Service& service = a.point.prediction.service; service.priceKnown)
        out.price = service.price * out.time;
    if (s.money.apiPrice)
        out.apiPrice = Dollars(
            *requests
            * (s.prompt.mean() * s.money.apiPrice->input + s.output.mean() * s.money.apiPrice->output) / 1e6);
    return out;
}

} // namespace headroom
