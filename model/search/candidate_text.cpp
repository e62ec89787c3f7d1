#include "model/search/candidate_text.h"

#include "model/base/apart.h"
#include "model/base/figure_text.h"
#include "model/base/three_digits.h"
#include "model/deploy/layout_text.h"
#include "model/scenario/service_load.h"
#include "model/search/judge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

constexpr double fewest = 1e-3; // users of a replica, on average: nobody else is there

} // namespace

Message layoutText(const Candidate& candidate)
{
    const Message decode = layoutText(candidate.deployment.layout);
    return candidate.prompts
        ? say("{}; prompts on {}", decode, layoutText(candidate.prompts->deployment.layout))
        : decode;
}

std::string machinesText(const Candidate& candidate)
{
    const Gpu& gpu = *candidate.deployment.gpu;
    if (!candidate.prompts || candidate.prompts->deployment.gpu->id == gpu.id)
        return fmt::format("{} × {}", groupedDigits(candidate.gpus()), gpu.name);
    const Deployment& prompts = candidate.prompts->deployment;
    return fmt::format("{} × {} + {} × {}", groupedDigits(candidate.deployment.layout.gpus()), gpu.name,
                       groupedDigits(prompts.layout.gpus()), prompts.gpu->name);
}

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
            return say("at most {:.0f} users at once within the targets ({}, {}), {:.0f} are asked for",
                       std::floor(roomy.maxConcurrency), machinesText(roomy), layoutText(roomy), asked);
        if (roomy.maxConcurrency >= 1 && asked > 0)
            return say("memory holds the model and {:.0f} users at once ({}, {}), {:.0f} are asked for; "
                       "an engine lets the others wait",
                       std::floor(roomy.maxConcurrency), machinesText(roomy), layoutText(roomy), asked);
        const auto [used, usable] = apart(memory.used.base() / 1e9, memory.usable.base() / 1e9);
        return say("no layout holds the model in memory: the nearest, {} ({}), needs {} GB on each GPU "
                   "and can use {} GB",
                   machinesText(nearest), layoutText(nearest), used, usable);
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
    return say("{}: on any number of GPUs at best {}", nearest.limitedBy(), missText(best, scenario.targets));
}

Message effectText(const Candidate& c, const Scenario& asked)
{
    const Message machines = say("{} ({})", machinesText(c), layoutText(c));
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
    return say("{} ({}), {:.3g} tokens/s for each user", machinesText(c), layoutText(c),
               c.point.tokensPerSecondPerUser.value.base());
}

} // namespace headroom
