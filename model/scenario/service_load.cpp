#include "model/scenario/service_load.h"

#include <cmath>

namespace headroom {

ServiceLoad loadOf(const Scenario& scenario, double years)
{
    const double factor = scenario.peakFactor * std::pow(1 + scenario.growthPerYear, years);
    return {scenario.concurrency ? std::ceil(*scenario.concurrency * factor) : 0,
            scenario.requestsPerSecond ? *scenario.requestsPerSecond * factor : 0};
}

bool fullyLoaded(const Scenario& scenario)
{
    return !loadOf(scenario).stated() && !scenario.batch && objectiveRow(scenario.objective)->fillsReplicas;
}

double enoughUsers(const Scenario& scenario)
{
    const ServiceLoad load = loadOf(scenario);
    if (load.requestsPerSecond > 0 || fullyLoaded(scenario))
        return 1e18;
    return load.users > 0 ? std::ceil(load.users / (1 - scenario.headroom)) + 1 : 1;
}

} // namespace headroom
