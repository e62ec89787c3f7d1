#include "model/plan/more_replicas.h"

#include "model/plan/judge.h"
#include "model/plan/ranking.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr std::size_t layoutsTried = 3;
constexpr int sizesTried = 8; // of each layout
constexpr int most = 2;       // times the smallest service

// More replicas help those who share one: several users, or requests that come on their own.
bool shares(const Scenario& scenario)
{
    const ServiceLoad load = loadOf(scenario);
    return load.users > 1 || load.requestsPerSecond > 0;
}

bool takesFewest(const Scenario& scenario)
{
    return !scenario.gpuCount && !scenario.replicas
        && (scenario.objective == Objective::FewestGpus || scenario.objective == Objective::CheapestHour);
}

} // namespace

std::vector<Candidate> withMoreReplicas(const std::vector<Candidate>& candidates, const Scenario& scenario)
{
    std::vector<Candidate> out;
    if (!takesFewest(scenario) || !shares(scenario))
        return out;
    std::vector<const Candidate*> best;
    for (const Candidate& c : candidates)
        if (c.meets && !c.prompts)
            best.push_back(&c);
    const auto kept = best.begin() + static_cast<std::ptrdiff_t>(std::min(best.size(), layoutsTried));
    std::partial_sort(best.begin(), kept, best.end(), [&](const Candidate* a, const Candidate* b) {
        return better(*a, *b, scenario.objective);
    });
    best.erase(kept, best.end());
    for (const Candidate* each : best) {
        Layout layout = each->deployment.layout;
        const int replicas = layout.replicas;
        const int step = std::max(1, replicas / sizesTried);
        layout.replicas = 1;
        Scenario fixed = scenario;
        for (int more = replicas + step; more * layout.gpusPerReplica() <= most * best.front()->gpus()
             && more <= replicas + sizesTried * step;
             more += step) {
            fixed.replicas = more;
            out.push_back(judge(each->machine, layout, fixed, false));
        }
    }
    return out;
}

} // namespace headroom
