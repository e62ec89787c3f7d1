#include "model/search/candidate_text.h"

#include "model/base/three_digits.h"
#include "model/scenario/service_load.h"
#include "model/search/judge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

// "TP 4 x PP 2, 3 replicas".
Message splitText(const Candidate& c)
{
    const Layout& l = c.deployment.layout;
    Message layout = say("TP {}", l.tp);
    if (l.pp > 1)
        layout += say(" x PP {}", l.pp);
    if (l.dp > 1)
        layout += say(" x DP {}", l.dp);
    if (l.ep > 1)
        layout += say(", EP {}", l.ep);
    if (l.replicas > 1)
        layout += say(", {} replicas", l.replicas);
    if (c.prompts) {
        const Layout& p = c.prompts->deployment.layout;
        layout += say(", prompts on {} x TP {} of {}", p.replicas, p.tp, c.prompts->deployment.gpu->id);
    }
    return layout;
}

constexpr double fewest = 1e-3; // users of a replica, on average: nobody else is there

} // namespace

Message whyNothingMeets(const std::vector<Candidate>& candidates, const Scenario& scenario)
{
    const Candidate& nearest = candidates.front();
    if (loadOf(scenario).requestsPerSecond > 0 && nearest.maxRequestsPerSecond > 0
        && !nearest.point.prediction.memory.fits) // the cache of an endless queue says nothing
        return nearest.reason;
    if (const GpuMemory& memory = nearest.point.prediction.memory.perGpu;
        !nearest.point.prediction.memory.fits) { // they are sorted: then none does
        const Candidate& roomy = *std::max_element(
            candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.maxConcurrency < b.maxConcurrency; });
        const double asked = loadOf(scenario).users;
        const double held = roomy.point.prediction.memory.maxBatch * roomy.deployment.layout.replicas;
        // Do targets end it before memory does? Both are reckoned at other batches: a tenth apart is alike.
        constexpr double nearly = 0.9;
        if (roomy.maxConcurrency >= 1 && asked > 0 && roomy.maxConcurrency < nearly * std::floor(held))
            return say("at most {:.0f} users at once within the targets ({} x {}, {}), {:.0f} are asked",
                       roomy.maxConcurrency, roomy.gpus(), roomy.deployment.gpu->name, splitText(roomy),
                       asked);
        if (roomy.maxConcurrency >= 1 && asked > 0)
            return say("memory holds the model and {:.0f} users at once ({} x {}, {}), {:.0f} are asked; "
                       "an engine lets the others wait",
                       roomy.maxConcurrency, roomy.gpus(), roomy.deployment.gpu->name, splitText(roomy),
                       asked);
        return say(
            "no layout holds the model in memory: the nearest, {} x {} ({}), needs {:.1f} GB on each GPU "
            "and can use {:.1f} GB",
            nearest.gpus(), nearest.deployment.gpu->name, splitText(nearest), memory.used.base() / 1e9,
            memory.usable.base() / 1e9);
    }
    if (nearest.missed == TargetKind::None)
        return nearest.reason;
    // Others hold in closed form: "at best" would deny them.
    if (std::any_of(candidates.begin(), candidates.end(),
                    [](const Candidate& c) { return c.simulated.has_value(); }))
        return say("{}; what holds on average does not stand a replay of the traffic", nearest.reason);
    if (scenario.gpuCount || scenario.replicas)
        return say("{}: at best {} on these GPUs", nearest.limitedBy(), nearest.reason);
    // With as many GPUs as one likes everyone has a replica to himself.
    Candidate best;
    for (const Candidate& c : candidates) {
        Candidate alone = c;
        static_cast<UserTimes&>(alone.point) = ReplicaCurve(c.deployment, c.machine->load).timesAt(fewest);
        alone.missed = missedTarget(alone.point, scenario.targets);
        alone.missedBy = worstExcess(alone.point, scenario.targets);
        if (c.point.prediction.memory.fits && !c.prompts && (!best.machine || alone.missedBy < best.missedBy))
            best = std::move(alone);
    }
    if (!best.machine || best.missed == TargetKind::None)
        return say("{}: {}", nearest.limitedBy(), nearest.reason);
    return say("{}: at best {} on any number of GPUs", nearest.limitedBy(), missText(best, scenario.targets));
}

Message effectText(const Candidate& c, const Scenario& asked)
{
    const Message machines = say("{} x {} ({})", c.gpus(), c.deployment.gpu->name, splitText(c));
    const auto replayed = [&](Seconds SimulatedService::*field, const Estimate<Seconds>& closedForm) {
        return threeDigits((c.simulated ? (*c.simulated).*field : closedForm.value).base());
    };
    if (asked.objective == Objective::MostThroughput)
        return say("{}, {} tokens/s in total", machines,
                   threeDigits(c.point.prediction.service.outputTokensPerSecond.value.base()));
    if (fullyLoaded(asked))
        return say("{}, {:.0f} users at once", machines, c.maxConcurrency);
    const Targets& t = asked.targets;
    if (!t.tokensPerSecond && !t.tpot && t.ttft)
        return say("{}, first token after {} s", machines, replayed(&SimulatedService::ttft, c.point.ttft));
    if (!t.tokensPerSecond && !t.tpot && t.latency)
        return say("{}, a request in {} s", machines, replayed(&SimulatedService::latency, c.point.latency));
    return shortText(c);
}

Message shortText(const Candidate& c)
{
    return say("{} x {} ({}), {:.3g} tokens/s for each user", c.gpus(), c.deployment.gpu->name, splitText(c),
               c.point.tokensPerSecondPerUser.value.base());
}

} // namespace headroom
