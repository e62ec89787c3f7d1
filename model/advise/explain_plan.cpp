#include "model/advise/explain_plan.h"

#include "model/advise/hints.h"
#include "model/advise/other_choices.h"
#include "model/resolve/money.h"
#include "model/resolve/prompt_pool.h"
#include "model/scenario/service_load.h"
#include "model/search/candidate_text.h"
#include "model/search/finalists.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/pools.h"
#include "model/search/ranking.h"
#include "model/search/told_once.h"
#include "model/search/variants.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <future>
#include <utility>

namespace headroom {

namespace {

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
                && growsWithGpus(scenario.objective);
            if (tooLarge && !scenario.gpuCount && !scenario.replicas)
                break;
            take(judge(machine, layout, scenario, sure, Depth::Verdict));
        }
    }
    if (scenario.prefill.pools != Disaggregation::No) {
        std::vector<std::shared_ptr<const Resolved>> prompting;
        if (!scenario.prefill.gpu.empty()) {
            const Scenario other = onPromptMachine(scenario, m_catalogue);
            if (auto others = machinesOf(withPurchasePrice(other, m_catalogue), m_catalogue))
                prompting = *std::move(others);
        }
        for (Candidate& candidate : searchPools(*machines, prompting, scenario, sure, &best))
            take(std::move(candidate));
    }
    return best;
}

std::optional<Candidate> Replanner::asIs(const Candidate& service, const Scenario& changed) const
{
    const auto machines = machinesOf(withPurchasePrice(changed, m_catalogue), m_catalogue);
    if (!machines || service.prompts)
        return std::nullopt;
    const Deployment& its = service.deployment;
    const auto same = std::find_if(machines->begin(), machines->end(), [&](const auto& machine) {
        const Deployment& d = machine->deployment;
        return d.node->id == its.node->id && d.weights == its.weights && d.kv == its.kv
            && d.engine->maxBatchedTokens == its.engine->maxBatchedTokens
            && d.engine->maxSequences == its.engine->maxSequences;
    });
    if (same == machines->end())
        return std::nullopt;
    Candidate like;
    like.machine = *same;
    like.deployment = (*same)->deployment;
    like.deployment.layout = its.layout;
    return judgeWith(like, its.layout.replicas, changed);
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
    addOtherChoices(plan, scenario, replanner, simulate, control);
    tellOnce(plan);
    // Beside all that follows, which changes nothing that they read.
    std::future<std::vector<Hint>> hints;
    if (simulate)
        hints
            = std::async(std::launch::async, [&plan, &scenario, &catalogue, &replanner, stop = control.stop] {
                  return hintsFor(plan, scenario, catalogue, replanner, {.stop = stop});
              });
    plan.remedies = remediesFor(plan, scenario, catalogue, replanner, simulate, control);
    const Scenario set = asTuned(scenario, *plan.answer.deployment.engine);
    plan.sensitivity = sensitivityOf(plan, set, replanner);
    plan.breakPoints = breakPointsOf(plan, set, replanner, simulate, control);
    addGrowth(plan, set, replanner);
    if (scenario.allowed.tune)
        plan.assumptions.push_back("sensitivity, break points and growth keep the engine as it was set here");
    plan.pareto = paretoOf(*plan.answer.machine, scenario);
    if (hints.valid())
        plan.hints = hints.get();
    if (plan.meets && plan.answer.simulated)
        plan.assumptions.push_back("the answer and its break points stood a replay of the traffic; "
                                   "sensitivity and growth are closed form");
}

} // namespace headroom
