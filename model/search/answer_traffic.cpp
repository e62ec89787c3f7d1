#include "model/search/answer_traffic.h"

#include "model/search/judge.h"
#include "model/search/load_curve.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>

namespace headroom {

namespace {

// Whoever is there at once has answered a few times, and the start, when the service fills, is warm-up. Who
// waits for his answer and asks again brings no bursts: of long answers, and of those that few share, fewer
// are as good, and take as many steps. A pipeline's lanes go step by step, at many times the cost: there
// fewer have to do however requests come. A number of one's own counts.
void lengthen(serve::ServingPlan& plan, const Candidate& answer, const Scenario& scenario, bool most)
{
    serve::Traffic& traffic = plan.traffic;
    constexpr double rounds = 12;
    constexpr double fewestRounds = 4;
    constexpr double longest = 200000;
    constexpr double fewest = 300;
    constexpr double steps = 8e4;    // of all replicas together
    constexpr double passes = 6e4;   // of all lanes
    constexpr double tokens = 1.5e6; // of all answers
    constexpr double looks = 5e5;    // of those who come and go, at who runs beside them
    constexpr double many = 200;     // at once: three rounds of them are enough
    constexpr double fills = 1.25;   // rounds, with which a service that was empty is as full as it will be
    constexpr double mostWarmUp = 0.45;
    const auto usual = static_cast<double>(Scenario().requests);
    if (static_cast<double>(scenario.requests) != usual || scenario.loadTool != LoadTool::No)
        return;
    const Layout& layout = answer.deployment.layout;
    const bool takesTurns = traffic.users > 0;
    const bool piped = layout.pp > 1;
    const double length = std::max(1.0, scenario.output.mean());
    const double atOnce = takesTurns ? static_cast<double>(traffic.users)
                                     : traffic.rate.base() * answer.point.latency.value.base();
    const double inLane = std::max(1.0, atOnce / (double(layout.replicas) * layout.pp));
    const double leastRounds = atOnce >= (takesTurns ? many : 5 * many) ? fewestRounds - 1 : fewestRounds;
    const double bySteps = std::clamp(std::min((piped ? passes : steps) * inLane / length, looks / inLane),
                                      fewest, piped || !most ? usual : 2 * usual);
    double whole = std::max(usual, leastRounds * atOnce);
    if (piped)
        whole = std::max(leastRounds * atOnce, bySteps);
    else if (takesTurns)
        whole = std::max(
            std::min(rounds * atOnce, std::max(leastRounds * atOnce, std::min(2 * usual, tokens / length))),
            bySteps);
    // Long answers of replicas that hardly anybody shares: each is a sequence of its own, of which fewer tell
    // as much.
    constexpr double mostSteps = 8e5;
    constexpr double mostPasses = 4e5;
    constexpr double fewestLong = 150;
    const double affordable = (piped ? mostPasses : mostSteps) * inLane / length;
    whole = std::min(whole, std::max({fewestLong, affordable, takesTurns ? leastRounds * atOnce : 0}));
    traffic.requests = static_cast<std::int64_t>(
        std::clamp(std::ceil(whole), std::min(fewest, std::max(fewestLong, affordable)), longest));
    if (!takesTurns && plan.around.warmUp > 0)
        plan.around.warmUp = std::clamp(fills * atOnce / static_cast<double>(traffic.requests),
                                        plan.around.warmUp, mostWarmUp);
}

} // namespace

Result<serve::ServingPlan> trafficOn(const Candidate& answer, const Scenario& scenario, bool most)
{
    auto plan = serve::servingPlan(scenario, answer.deployment, answer.load,
                                   RequestsPerSecond(answer.maxRequestsPerSecond));
    if (!plan)
        return plan;
    lengthen(*plan, answer, scenario, most);
    if (answer.prompts)
        serve::addPrefillPool(*plan, answer.prompts->deployment, answer.load, answer.deployment);
    return plan;
}

Candidate asItIs(const Resolved& machine, const Scenario& scenario)
{
    Candidate given = judge(std::make_shared<const Resolved>(machine), machine.deployment.layout, scenario);
    // A verdict on a stated rate counts the replicas that it takes; what is played has those that are there.
    given.maxRequestsPerSecond
        *= static_cast<double>(machine.deployment.layout.replicas) / given.deployment.layout.replicas;
    given.deployment = machine.deployment;
    given.load = machine.load;
    return given;
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
