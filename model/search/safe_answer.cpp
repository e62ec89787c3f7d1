#include "model/search/safe_answer.h"

#include "model/scenario/service_load.h"
#include "model/search/finalists.h"
#include "model/search/judge.h"
#include "model/search/pools.h"
#include "model/search/ranking.h"
#include "model/search/replays.h"
#include "model/search/safe_confidence.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace headroom {

namespace {

constexpr std::size_t mostLayouts = 3; // that are safe in closed form are replayed
constexpr int runsOfEach = 6;
constexpr int mostForSafety = 4; // the replicas that the targets take

bool isSafe(const Candidate& c) { return c.meets && c.confidence >= safeConfidence; }

bool fixed(const Scenario& scenario) { return scenario.replicas || scenario.gpuCount; }

// An eighth more, one at least.
int more(int replicas) { return replicas + std::max(1, replicas / 8); }

PoolSizes sizesOf(const Candidate& c)
{
    return {c.prompts->deployment.layout.replicas, c.deployment.layout.replicas};
}

// More of both pools, but for one whose size was stated.
PoolSizes more(PoolSizes sizes, const Scenario& scenario)
{
    if (!scenario.prefill.replicas)
        sizes.prompts = more(sizes.prompts);
    sizes.decodes = more(sizes.decodes);
    return sizes;
}

std::optional<Candidate> madeSafePools(const Candidate& like, const Scenario& scenario,
                                       const Candidate* toBeat)
{
    if (isSafe(like) || fixed(scenario))
        return isSafe(like) ? std::optional(like) : std::nullopt;
    Layout layout = like.deployment.layout;
    layout.replicas = 1;
    const PromptUnit unit = unitOf(*like.prompts);
    Candidate c = judgePools(like.machine, layout, unit, scenario, true);
    const int most = mostForSafety * c.gpus();
    while (c.meets && !isSafe(c) && c.gpus() < most
           && (toBeat == nullptr || better(c, *toBeat, scenario.objective)))
        c = judgePools(like.machine, layout, unit, scenario, false, more(sizesOf(c), scenario));
    return isSafe(c) ? std::optional(std::move(c)) : std::nullopt;
}

// In closed form: each time at the upper end of its range first, then all of them together.
std::optional<Candidate> madeSafe(const Candidate& like, const Scenario& scenario, const Candidate* toBeat)
{
    if (like.prompts)
        return madeSafePools(like, scenario, toBeat);
    Layout layout = like.deployment.layout;
    layout.replicas = 1;
    Candidate c = judge(like.machine, layout, scenario, true, Depth::Verdict);
    const int most = mostForSafety * c.deployment.layout.replicas;
    while (c.meets && !isSafe(c) && !fixed(scenario) && c.deployment.layout.replicas < most
           && (toBeat == nullptr || better(c, *toBeat, scenario.objective)))
        c = judgeWith(like, more(c.deployment.layout.replicas), scenario);
    return isSafe(c) ? std::optional(std::move(c)) : std::nullopt;
}

std::vector<Candidate> safeInClosedForm(const SizingPlan& plan, const Scenario& scenario)
{
    std::vector<Candidate> found; // best first
    std::vector<std::pair<const Resolved*, Layout>> seen;
    for (const Candidate& each : plan.candidates) {
        const Candidate* const toBeat = found.size() < mostLayouts ? nullptr : &found.back();
        // More replicas are no better, and what follows is no better than this.
        if (!each.meets || (toBeat != nullptr && !better(each, *toBeat, scenario.objective)))
            break;
        Layout layout = each.deployment.layout;
        layout.replicas = 1;
        const std::pair key(each.machine.get(), layout);
        if (!each.prompts && std::find(seen.begin(), seen.end(), key) != seen.end())
            continue;
        seen.push_back(key);
        std::optional<Candidate> safe = madeSafe(each, scenario, toBeat);
        if (!safe)
            continue;
        const auto order
            = [&](const Candidate& a, const Candidate& b) { return better(a, b, scenario.objective); };
        found.insert(std::upper_bound(found.begin(), found.end(), *safe, order), *std::move(safe));
        if (found.size() > mostLayouts)
            found.pop_back();
    }
    return found;
}

// As many replicas as the replay takes to be as sure.
std::optional<Candidate> replayedSafe(const Candidate& closedForm, const Scenario& scenario,
                                      const std::optional<serve::Workload>& recorded,
                                      const SearchOptions& options, const RunControl& control)
{
    if (closedForm.prompts && isSafe(closedForm) && closedForm.simulated)
        return closedForm;
    Replays replays(scenario, recorded, control, runsOfEach, options.steps);
    int replicas = closedForm.deployment.layout.replicas;
    PoolSizes sizes = closedForm.prompts ? sizesOf(closedForm) : PoolSizes{};
    while (!replays.exhausted()) {
        Candidate played = closedForm.prompts ? replays.playedPools(closedForm, sizes)
                                              : replays.played(closedForm, replicas);
        if (!played.simulated)
            return std::nullopt;
        if (isSafe(played))
            return played;
        if (fixed(scenario))
            return std::nullopt;
        replicas = more(replicas);
        sizes = more(sizes, scenario);
    }
    return std::nullopt;
}

} // namespace

bool mayBeSafer(const SizingPlan& plan, const Scenario& scenario)
{
    return plan.meets && scenario.targets.any() && !fullyLoaded(scenario);
}

bool sameService(const Candidate& a, const Candidate& b)
{
    if (a.prompts.has_value() != b.prompts.has_value())
        return false;
    const auto same = [](const Deployment& x, const Deployment& y) {
        return x.gpu == y.gpu && x.node == y.node && x.engine->id == y.engine->id && x.layout == y.layout
            && x.weights == y.weights && x.kv == y.kv;
    };
    return same(a.deployment, b.deployment)
        && (!a.prompts || same(a.prompts->deployment, b.prompts->deployment));
}

std::optional<Candidate> safeAnswer(const SizingPlan& plan, const Scenario& scenario,
                                    const std::optional<serve::Workload>& recorded,
                                    const SearchOptions& options, const RunControl& control)
{
    if (!mayBeSafer(plan, scenario) || plan.answer.confidence >= safeConfidence)
        return std::nullopt;
    for (const Candidate& each : safeInClosedForm(plan, scenario)) {
        std::optional<Candidate> safe = each;
        if (options.simulate && trafficMatters(scenario))
            safe = replayedSafe(each, scenario, recorded, options, control);
        // What the replay of the traffic already took is no smaller for being surer.
        if (safe && !sameService(*safe, plan.answer) && !better(*safe, plan.answer, scenario.objective))
            return safe;
    }
    return std::nullopt;
}

void findSafeAnswer(SizingPlan& plan, const Scenario& scenario,
                    const std::optional<serve::Workload>& recorded, const SearchOptions& options,
                    const RunControl& control)
{
    plan.safe = safeAnswer(plan, scenario, recorded, options, control);
    if (!plan.safe || plan.answer.confidence >= leastConfidence)
        return;
    complete(*plan.safe, scenario);
    plan.cheapest = std::exchange(plan.answer, *plan.safe);
    plan.candidates.insert(plan.candidates.begin(), plan.answer);
}

} // namespace headroom
