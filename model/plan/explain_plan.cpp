#include "model/plan/explain_plan.h"

#include "model/plan/judge.h"
#include "model/plan/layouts.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <set>
#include <utility>

namespace headroom {

namespace {

// Nine in ten: what "to be safe" means.
constexpr double sureEnough = 0.9;

void addSafe(SizingPlan& plan, const Scenario& scenario, const Replanner& replanner)
{
    if (!plan.meets || plan.answer.confidence >= sureEnough || !scenario.targets.any())
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

} // namespace

std::string whyNothingMeets(const std::vector<Candidate>& candidates, const Scenario& scenario)
{
    const Candidate& nearest = candidates.front();
    const bool anyFits = std::any_of(candidates.begin(), candidates.end(),
                                     [](const Candidate& c) { return c.point.prediction.memory.fits; });
    if (!anyFits) {
        const auto least = std::min_element(
            candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
                const auto over = [](const Candidate& c) {
                    return c.point.prediction.memory.perGpu.used / c.point.prediction.memory.perGpu.usable;
                };
                return over(a) < over(b);
            });
        return fmt::format("memory: no layout holds the model; the nearest is {}: {}", shortText(*least),
                           least->reason);
    }
    if (nearest.missed == TargetKind::None)
        return nearest.reason;
    const char* const at = scenario.gpuCount ? "on these GPUs" : "on any number of GPUs";
    return fmt::format("{}: at best {} {}", nearest.limitedBy(), nearest.reason, at);
}

std::string shortText(const Candidate& c)
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
    return fmt::format("{} x {} ({}), {:.3g} tokens/s for each user", c.gpus(), c.deployment.gpu->id, layout,
                       c.point.tokensPerSecondPerUser.value.base());
}

std::optional<Candidate> Replanner::best(const Scenario& scenario, bool sure) const
{
    Scenario priced = scenario;
    if (priced.money.buy && !priced.money.purchasePrice)
        if (const auto gpu = m_catalogue.gpu(priced.gpus.front()))
            priced.money.purchasePrice = (*gpu)->purchasePrice;
    Result<Resolved> resolved = resolveMachine(priced, m_catalogue);
    if (!resolved)
        return std::nullopt;
    const auto machine = std::make_shared<const Resolved>(*std::move(resolved));
    std::optional<Candidate> best;
    for (const Layout& layout : possibleLayouts(machine->deployment, scenario)) {
        const bool tooLarge = best && best->meets
            && layout.gpusPerReplica() * (1 + scenario.spares) > best->gpus()
            && (scenario.objective == Objective::FewestGpus || scenario.objective == Objective::CheapestHour);
        if (tooLarge && !scenario.gpuCount && !scenario.replicas)
            break;
        Candidate candidate = judge(machine, layout, scenario, sure, Depth::Verdict);
        if (!best || better(candidate, *best, scenario.objective))
            best = std::move(candidate);
    }
    return best;
}

std::vector<ParetoPoint> paretoOf(const Resolved& machine, const Scenario& scenario)
{
    std::vector<ParetoPoint> all;
    for (const Layout& layout : possibleLayouts(machine.deployment, scenario)) {
        Deployment one = machine.deployment;
        one.layout = layout;
        const double most = capacityOf(one, machine.load, Targets{}).users;
        for (double users = 1; users <= most; users *= 2) {
            const OperatingPoint point = operateAt(one, machine.load, users);
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

void explain(SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue)
{
    const Replanner replanner(catalogue);
    addSafe(plan, scenario, replanner);
    plan.remedies = remediesFor(plan, scenario, replanner);
    plan.sensitivity = sensitivityOf(plan, scenario, replanner);
    plan.breakPoints = breakPointsOf(plan, scenario, replanner);
    addGrowth(plan, scenario, replanner);
    plan.pareto = paretoOf(*plan.answer.machine, scenario);
}

} // namespace headroom
