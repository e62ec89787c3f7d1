#include "model/search/prove_best.h"

#include "model/scenario/service_load.h"
#include "model/search/judge.h"
#include "model/search/proven_load.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {

namespace {

double surely(const Candidate& answer, const Scenario& scenario, const RunControl& control)
{
    const std::optional<ProvenLoad> safe = mostThatStands(answer, scenario, control, true);
    return safe ? std::min(safe->load.users, answer.maxConcurrency) : 0;
}

// The most it carries has to stand a replay as the stated load has. True: it was proven.
bool proveMost(SizingPlan& plan, const Scenario& scenario, bool replay, const RunControl& control)
{
    Candidate& answer = plan.answer;
    const ServiceLoad load = loadOf(scenario);
    if (!plan.meets || scenario.batch || !scenario.targets.any() || answer.prompts || !scenario.trace.empty())
        return false;
    if (load.stated() && !answer.simulated)
        return false; // the load itself did not stand one
    const ReplicaCurve curve(answer.deployment, answer.machine->load);
    const int replicas = answer.deployment.layout.replicas;
    const double working = std::max(1, replicas - scenario.spares);
    const double closedForm = answer.maxConcurrency;
    const bool several = load.stated() || closedForm >= 2; // one alone waits for nobody
    const std::optional<ProvenLoad> most
        = replay && several ? mostThatStands(answer, scenario, control) : std::nullopt;
    if (most && most->load.stated()) {
        const double rate = most->load.requestsPerSecond;
        const double each = rate > 0 ? usersAtRate(curve, rate / working, closedForm / replicas)
                                     : std::max(1.0, most->load.users / working);
        answer.maxConcurrency = rate > 0 ? each * working : most->load.users;
        answer.maxRequestsPerSecond = rate > 0 ? rate : most->simulated->requestsPerSecond;
        if (fullyLoaded(scenario)) { // what is told of it is of as many
            answer.point = curve.at(each, replicas);
            tellServedLoad(answer.point, scenario, replicas);
            answer.load.batch = each;
            answer.confidence = most->confidence;
            answer.simulated = most->simulated;
            tellReplayed(answer.point, *answer.simulated);
        }
    } else if (most && !load.stated()) { // nobody is served in time, whatever the closed form says
        answer.meets = false;
        answer.reason = most->reason;
        plan.meets = false;
    }
    plan.candidates.front() = answer;
    return most && most->load.stated();
}

} // namespace

void useAllFirst(std::vector<Candidate>& candidates, const Scenario& scenario)
{
    // The highest throughput counts what stands idle by itself, and more users are more whatever stands idle.
    if (!scenario.gpuCount || scenario.objective == Objective::MostThroughput
        || scenario.objective == Objective::MostUsers)
        return;
    const auto misses
        = std::find_if(candidates.begin(), candidates.end(), [](const Candidate& c) { return !c.meets; });
    std::stable_partition(candidates.begin(), misses,
                          [&](const Candidate& c) { return c.gpus() >= *scenario.gpuCount; });
}

bool proveBest(SizingPlan& plan, const Scenario& scenario, bool replay, const RunControl& control)
{
    constexpr int mostProven = 12;
    double ratio = 0; // of what stood to the closed form, the highest
    const auto prove = [&] {
        const double closedForm = plan.answer.maxConcurrency;
        const bool stood = proveMost(plan, scenario, replay, control);
        if (stood && closedForm > 0)
            ratio = std::max(ratio, plan.answer.maxConcurrency / closedForm);
        return stood;
    };
    bool proven = prove();
    if (!fullyLoaded(scenario))
        return proven;
    std::vector<std::pair<const Resolved*, Layout>> known;
    const auto keyOf = [](const Candidate& c) { return std::pair(c.machine.get(), c.deployment.layout); };
    const auto isKnown
        = [&](const Candidate& c) { return std::find(known.begin(), known.end(), keyOf(c)) != known.end(); };
    while (proven || !plan.meets) {
        known.push_back(keyOf(plan.answer));
        plan.candidates = bestFirst(std::move(plan.candidates), scenario.objective);
        useAllFirst(plan.candidates, scenario);
        const bool last = known.size() >= mostProven || control.stop.stop_requested();
        if (last) // what is proven before what is not
            std::stable_partition(plan.candidates.begin(), plan.candidates.end(),
                                  [&](const Candidate& c) { return c.meets && isKnown(c); });
        plan.answer = plan.candidates.front();
        plan.meets = plan.answer.meets;
        if (last || !plan.meets)
            return plan.meets && isKnown(plan.answer);
        if (isKnown(plan.answer)) {
            // Whose closed form says too little may carry more than the best that was proven.
            const auto next
                = std::find_if(plan.candidates.begin(), plan.candidates.end(), [&](const Candidate& c) {
                      return c.meets && !c.prompts && !isKnown(c)
                          && c.maxConcurrency * ratio > plan.answer.maxConcurrency;
                  });
            if (scenario.objective != Objective::MostUsers || next == plan.candidates.end())
                return true;
            std::rotate(plan.candidates.begin(), next, next + 1);
            plan.answer = plan.candidates.front();
        }
        complete(plan.answer, scenario);
        proven = prove();
    }
    return proven;
}

void tellSafeUsers(SizingPlan& plan, const Scenario& scenario, bool proven, const RunControl& control)
{
    const Candidate& answer = plan.answer;
    if (!plan.meets || loadOf(scenario).stated() || scenario.batch || !scenario.targets.any()
        || answer.prompts || answer.maxConcurrency <= 0)
        return;
    if (proven) {
        plan.safeUsers = surely(answer, scenario, control);
        return;
    }
    const double working = std::max(1, answer.deployment.layout.replicas - scenario.spares);
    plan.safeUsers = std::floor(
        ReplicaCurve(answer.deployment, answer.machine->load).capacity(scenario.targets, true).users
        * working);
}

} // namespace headroom
