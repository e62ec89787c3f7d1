#include "model/serve/serving_run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom::serve {

namespace {

// A day's shape says something of its busy hour only when the requests reach it.
void warnOfShortDay(ServingRun& run, const ServingPlan& plan, bool recorded)
{
    const ArrivalShape& arrivals = plan.traffic.arrivals;
    if (recorded || arrivals.peak <= 1 || run.workload.requests.empty())
        return;
    constexpr double hoursOfDay = 24;
    const double hours = run.workload.requests.back().arrival.base() / secondsPerHour;
    if (hours >= hoursOfDay)
        return;
    run.warnings.push_back(say(
        "these requests arrive in the first {:.1f} hours of the day{}: --requests {:.0f} cover a whole one",
        hours,
        hours < arrivals.peakHour ? say(", before its busiest hour, {:g}", arrivals.peakHour) : Message(),
        std::ceil(plan.traffic.rate.base() * hoursOfDay * secondsPerHour)));
}

Result<ServingRun> play(const ServingPlan& plan, Workload workload, bool recorded, const RunControl& control)
{
    Result<Simulation> simulation = simulate(plan.setup, workload, control);
    if (!simulation)
        return refuse(std::move(simulation.error()));
    ServingRun run{judgedRun(plan, workload, std::move(*simulation), recorded)};
    run.workload = std::move(workload);
    run.around = plan.around;
    run.seed = plan.setup.seed;
    run.ends = recorded || plan.ends || plan.traffic.arrivals.peak > 1;
    run.assumptions = plan.assumptions;
    if (run.measures.measured < run.measures.finished)
        run.assumptions.push_back(
            say("the first {:.0f} % of arrivals warm the service up and are not measured",
                100.0 * static_cast<double>(run.measures.finished - run.measures.measured)
                    / static_cast<double>(run.measures.finished)));
    const Measures& m = run.measures;
    if (m.refused > 0)
        run.warnings.push_back(
            say("{} of {} requests are longer than the cache and are refused", m.refused, m.requests));
    if (m.partial)
        run.warnings.push_back(
            say("stopped after {} of {} requests: these are the finished ones only", m.finished, m.requests));
    warnOfShortDay(run, plan, recorded);
    if (!run.timesMeanSomething())
        run.warnings.push_back(
            "overloaded: queue time, TTFT and latency grow for as long as the load lasts, so no "
            "percentile of them is given");
    return run;
}

} // namespace

JudgedRun judgedRun(const ServingPlan& plan, const Workload& workload, Simulation simulation, bool recorded)
{
    JudgedRun run{.simulation = std::move(simulation)};
    run.measures = measure(run.simulation, workload, plan.around);
    run.verdict
        = judge(plan.setup, workload, run.simulation, run.measures, recorded ? std::nullopt : plan.offered);
    return run;
}

bool JudgedRun::answersYes() const
{
    return verdict.stable
        && std::all_of(measures.classes.begin(), measures.classes.end(),
                       [](const ClassMeasures& c) { return c.kept(); });
}

Result<ServingRun> makeServingRun(const ServingPlan& plan, const RunControl& control)
{
    Result<Workload> workload = makeWorkload(plan.traffic);
    if (!workload)
        return refuse(std::move(workload.error()));
    return play(plan, std::move(*workload), false, control);
}

Result<ServingRun> makeServingRun(const ServingPlan& plan, Workload recorded, const RunControl& control)
{
    return play(plan, std::move(recorded), true, control);
}

void rescaleArrivals(Workload& workload, RequestsPerSecond rate)
{
    if (workload.requests.size() < 2)
        return;
    const Seconds first = workload.requests.front().arrival;
    const double span = (workload.requests.back().arrival - first).base();
    if (span <= 0)
        return;
    const double factor = static_cast<double>(workload.requests.size() - 1) / rate.base() / span;
    for (Request& request : workload.requests)
        request.arrival = (request.arrival - first) * factor;
    workload.recorded.clear(); // another load would have been served otherwise
}

} // namespace headroom::serve
