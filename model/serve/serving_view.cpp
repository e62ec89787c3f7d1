#include "model/serve/serving_view.h"

#include <algorithm>
#include <array>

namespace headroom::serve {

namespace {

// Up to and beyond what can be served: overload is part of the picture.
constexpr std::array sweptShares{0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 1.0, 1.1};
constexpr std::int64_t sweptRequests = 600; // enough for a 95th percentile within a tenth of itself

// A part of a longer computation, in its share of the progress.
RunControl part(const RunControl& control, double from, double to, std::string_view stage)
{
    return {.stop = control.stop, .progress = [&control, from, to, stage](double fraction, std::string_view) {
                control.progress(from + (to - from) * fraction, stage);
            }};
}

std::vector<LoadPoint> sweepLoad(const ServingPlan& plan, RequestsPerSecond capacity,
                                 const RunControl& control)
{
    std::vector<LoadPoint> points;
    for (std::size_t i = 0; i < sweptShares.size() && !control.stop.stop_requested(); ++i) {
        ServingPlan at = plan;
        at.offered = capacity * sweptShares[i];
        at.traffic.rate = *at.offered;
        at.traffic.requests = std::min(plan.traffic.requests, sweptRequests);
        const double begin = 0.5 + 0.5 * static_cast<double>(i) / sweptShares.size();
        const Result<ServingRun> run
            = makeServingRun(at, part(control, begin, begin + 0.5 / sweptShares.size(), "load sweep"));
        if (run && !run->simulation.partial)
            points.push_back({*at.offered, sweptShares[i], run->verdict.stable, run->measures});
    }
    return points;
}

} // namespace

Result<ServingView> makeServingView(const ServingPlan& plan, const RunControl& control)
{
    Result<ServingRun> run = makeServingRun(plan, part(control, 0, 0.3, "simulation"));
    if (!run)
        return refuse(std::move(run.error()));
    ServingView planView{std::move(*run), std::nullopt, {}};
    if (planView.run.simulation.partial || !plan.offered)
        return planView;
    if (!keepsBatch(plan.setup.pool.scheduling.kind) && !plan.setup.prefill) {
        ServingPlan waiting = plan;
        waiting.setup.pool.scheduling.kind = SchedulerKind::Static;
        if (Result<ServingRun> other = makeServingRun(waiting, part(control, 0.3, 0.5, "static batching")))
            planView.staticBatching = std::move(*other);
    }
    planView.sweep = sweepLoad(plan, planView.run.verdict.capacity, control);
    return planView;
}

std::vector<DistributionPoint> distributionOf(const ServingRun& run, ServingTime time, int points)
{
    std::vector<double> seconds;
    for (std::size_t i = 0; i < run.simulation.outcomes.size(); ++i) {
        const Outcome& outcome = run.simulation.outcomes[i];
        if (outcome.state != Outcome::State::Done || outcome.arrival < run.measures.warmUp)
            continue;
        const RequestTimes times
            = timesOf(outcome, run.workload.requests[i], run.measures.admission, run.measures.besideFirst);
        const std::array all{times.ttft, times.tpot, times.latency, times.queue};
        seconds.push_back(all[static_cast<std::size_t>(time)].base());
    }
    std::sort(seconds.begin(), seconds.end());
    std::vector<DistributionPoint> out;
    for (int p = 0; p <= points && !seconds.empty(); ++p) {
        const double share = static_cast<double>(p) / points;
        out.push_back({Seconds(percentileOf(seconds, share * 100)), share});
    }
    return out;
}

} // namespace headroom::serve
