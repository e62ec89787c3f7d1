#include "model/plan/explain_plan.h"

#include "model/plan/finalists.h"
#include "model/plan/judge.h"
#include "model/plan/layouts.h"
#include "model/plan/money.h"
#include "model/plan/pools.h"
#include "model/plan/ranking.h"
#include "model/plan/sure_enough.h"
#include "model/plan/variants.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace headroom {

namespace {

// "TP 4 x PP 2, 3 replicas".
std::string splitText(const Candidate& c)
{
    const Layout& l = c.deployment.layout;
    std::string layout = fmt::format("TP {}", l.tp);
    if (l.pp > 1)
        layout += fmt::format(" x PP {}", l.pp);
    if (l.dp > 1)
        layout += fmt::format(" x DP {}", l.dp);
    if (l.ep > 1)
        layout += fmt::format(", EP {}", l.ep);
    if (l.replicas > 1)
        layout += fmt::format(", {} replicas", l.replicas);
    if (c.prompts) {
        const Layout& p = c.prompts->deployment.layout;
        layout
            += fmt::format(", prompts on {} x TP {} of {}", p.replicas, p.tp, c.prompts->deployment.gpu->id);
    }
    return layout;
}

void addSafe(SizingPlan& plan, const Scenario& scenario, const Replanner& replanner)
{
    // Full on purpose, it is as sure as a coin: how many users are safe is told instead.
    if (!plan.meets || plan.answer.confidence >= sureEnough || !scenario.targets.any()
        || fullyLoaded(scenario))
        return;
    Scenario same = scenario;
    same.gpus = {plan.answer.deployment.gpu->id};
    std::optional<Candidate> safe = replanner.best(same, true);
    if (safe && safe->meets && !(safe->deployment.layout == plan.answer.deployment.layout))
        plan.safe = std::move(safe);
}

void addGrowth(SizingPlan& plan, const Scenario& scenario, const Replanner& replanner)
{
    constexpr int years = 4; // today and the usual three years of a machine's first life
    if (!plan.meets || scenario.growthPerYear == 0 || !loadOf(scenario).stated())
        return;
    for (int year = 0; year < years; ++year) {
        Scenario later = scenario;
        later.gpus = {plan.answer.deployment.gpu->id};
        later.peakFactor = scenario.peakFactor * std::pow(1 + scenario.growthPerYear, year);
        const auto best = replanner.best(later);
        YearOfGrowth row{.year = year};
        if (best && best->meets) {
            row.gpus = best->gpus();
            row.usdPerHour = perHour(best->point.prediction.service.price);
        }
        plan.growth.push_back(row);
    }
}

// The same question with no limit, and how much its answer takes.
std::optional<Remedy> asMuchAsStands(const Remedy& remedy, const Scenario& scenario,
                                     const Catalogue& catalogue, const RunControl& control)
{
    Scenario asked = scenario;
    asked.gpus = remedy.scenario.gpus;
    Scenario open = withoutLimit(asked, remedy.amount);
    if (!open.gpuCount)
        open.objective
            = remedy.amount == Remedy::Amount::HourlyBudget ? Objective::CheapestHour : Objective::FewestGpus;
    const auto plan = size(open, catalogue, {.prune = true, .simulate = true, .explain = false}, control);
    if (!plan || !(*plan)->meets)
        return std::nullopt;
    return asMuchAs((*plan)->answer, remedy.amount, asked);
}

// The first remedies are replayed; what does not stand the replay is none. More of something is as much as
// the replay takes.
void testRemedies(SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue,
                  const RunControl& control)
{
    constexpr std::size_t mostTested = 3;
    std::vector<Remedy> kept;
    std::size_t tested = 0;
    for (Remedy& remedy : plan.remedies) {
        if (!trafficMatters(remedy.scenario)) {
            kept.push_back(std::move(remedy));
        } else if (remedy.scenario.trace.empty()
                   && (remedy.amount != Remedy::Amount::None || tested++ < mostTested)) {
            if (remedy.amount != Remedy::Amount::None) {
                if (std::optional<Remedy> stood = asMuchAsStands(remedy, scenario, catalogue, control))
                    kept.push_back(*std::move(stood));
                continue;
            }
            Candidate settled = simulated(remedy.answer, remedy.scenario, control);
            if (!settled.meets)
                continue;
            remedy.effect = shortText(settled);
            remedy.answer = std::move(settled);
            kept.push_back(std::move(remedy));
        } else {
            remedy.effect += ", closed form";
            kept.push_back(std::move(remedy));
        }
    }
    plan.remedies = std::move(kept);
}

} // namespace

namespace {
constexpr double fewest = 1e-3; // users of a replica, on average: nobody else is there
}

std::string whyNothingMeets(const std::vector<Candidate>& candidates, const Scenario& scenario)
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
        if (const double asked = loadOf(scenario).users; roomy.maxConcurrency >= 1 && asked > 0)
            return fmt::format(
                "memory holds the model and {:.0f} users at once ({} x {}, {}), {:.0f} are asked; "
                "an engine lets the others wait",
                roomy.maxConcurrency, roomy.gpus(), roomy.deployment.gpu->name, splitText(roomy), asked);
        return fmt::format(
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
        return fmt::format("{}; what holds on average does not stand a replay of the traffic",
                           nearest.reason);
    if (scenario.gpuCount || scenario.replicas)
        return fmt::format("{}: at best {} on these GPUs", nearest.limitedBy(), nearest.reason);
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
        return fmt::format("{}: {}", nearest.limitedBy(), nearest.reason);
    return fmt::format("{}: at best {} on any number of GPUs", nearest.limitedBy(),
                       missText(best, scenario.targets));
}

std::string shortText(const Candidate& c)
{
    return fmt::format("{} x {} ({}), {:.3g} tokens/s for each user", c.gpus(), c.deployment.gpu->name,
                       splitText(c), c.point.tokensPerSecondPerUser.value.base());
}

std::optional<Candidate> Replanner::best(const Scenario& scenario, bool sure) const
{
    const auto machines = machinesOf(withPurchasePrice(scenario, m_catalogue), m_catalogue);
    if (!machines)
        return std::nullopt;
    std::optional<Candidate> best;
    const auto take = [&](Candidate candidate) {
        if (!best || better(candidate, *best, scenario.objective))
            best = std::move(candidate);
    };
    for (const auto& machine : *machines) {
        if (scenario.prefill.pools == Disaggregation::Only)
            break;
        for (const Layout& layout : possibleLayouts(*machine, scenario)) {
            const bool tooLarge = best && best->meets
                && layout.gpusPerReplica() * (1 + scenario.spares) > best->gpus()
                && (scenario.objective == Objective::FewestGpus
                    || scenario.objective == Objective::CheapestHour);
            if (tooLarge && !scenario.gpuCount && !scenario.replicas)
                break;
            take(judge(machine, layout, scenario, sure, Depth::Verdict));
        }
    }
    if (scenario.prefill.pools != Disaggregation::No) {
        std::vector<std::shared_ptr<const Resolved>> prompting;
        if (!scenario.prefill.gpu.empty()) {
            Scenario other = scenario;
            other.gpus = {scenario.prefill.gpu};
            other.node.clear();
            if (auto others = machinesOf(withPurchasePrice(other, m_catalogue), m_catalogue))
                prompting = *std::move(others);
        }
        for (Candidate& candidate : searchPools(*machines, prompting, scenario, sure, &best))
            take(std::move(candidate));
    }
    return best;
}

std::vector<ParetoPoint> paretoOf(const Resolved& machine, const Scenario& scenario)
{
    std::vector<ParetoPoint> all;
    for (const Layout& layout : possibleLayouts(machine, scenario)) {
        Deployment one = machine.deployment;
        one.layout = layout;
        const ReplicaCurve curve(one, machine.load);
        const double most = curve.capacity(Targets{}).users;
        for (double users = 1; users <= most; users *= 2) {
            const UserTimes point = curve.timesAt(users);
            const double each = point.tokensPerSecondPerUser.value.base();
            all.push_back(
                {layout, users, each,
                 users * machine.load.outputTokens / point.latency.value.base() / layout.gpusPerReplica()});
        }
    }
    std::sort(all.begin(), all.end(), [](const ParetoPoint& a, const ParetoPoint& b) {
        return std::pair(-a.tokensPerSecondPerUser, -a.tokensPerSecondPerGpu)
            < std::pair(-b.tokensPerSecondPerUser, -b.tokensPerSecondPerGpu);
    });
    std::vector<ParetoPoint> front;
    for (const ParetoPoint& point : all)
        if (front.empty() || point.tokensPerSecondPerGpu > front.back().tokensPerSecondPerGpu)
            front.push_back(point);
    return front;
}

void explain(SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue, bool simulate,
             const RunControl& control)
{
    const Replanner replanner(catalogue);
    addSafe(plan, scenario, replanner);
    if (plan.safe && simulate && trafficMatters(scenario))
        plan.safe = simulated(*plan.safe, scenario, control);
    // What the replay of the traffic already took is no smaller for being surer.
    if (plan.safe && (!plan.safe->meets || plan.safe->gpus() < plan.answer.gpus()))
        plan.safe.reset();
    plan.remedies = remediesFor(plan, scenario, replanner);
    if (simulate)
        testRemedies(plan, scenario, catalogue, control);
    const Scenario set = asTuned(scenario, *plan.answer.deployment.engine);
    plan.sensitivity = sensitivityOf(plan, set, replanner);
    plan.breakPoints = breakPointsOf(plan, set, replanner);
    addGrowth(plan, set, replanner);
    if (scenario.allowed.tune)
        plan.assumptions.push_back("sensitivity, break points and growth keep the engine as it was set here");
    plan.pareto = paretoOf(*plan.answer.machine, scenario);
    if (plan.meets && plan.answer.simulated)
        plan.assumptions.push_back(
            "the answer stood a replay of the traffic; sensitivity, break points and growth are closed form");
}

} // namespace headroom
