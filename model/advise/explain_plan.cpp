#include "model/advise/explain_plan.h"

#include "model/advise/ask_of_all.h"
#include "model/advise/hints.h"
#include "model/advise/other_choices.h"
#include "model/resolve/money.h"
#include "model/resolve/prompt_pool.h"
#include "model/scenario/alternatives.h"
#include "model/scenario/service_load.h"
#include "model/search/candidate_text.h"
#include "model/search/finalists.h"
#include "model/search/judge.h"
#include "model/search/layouts.h"
#include "model/search/machines_to_try.h"
#include "model/search/pools.h"
#include "model/search/ranking.h"
#include "model/search/replays.h"
#include "model/search/told_once.h"
#include "model/search/variants.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <future>
#include <memory>
#include <utility>

namespace headroom {

namespace {

// Who takes more is worse, whatever boxes are sold.
int paidGpusOf(const Candidate& c)
{
    return std::max(c.gpus(), paidGpus(c.deployment, c.deployment.layout.gpus(), nodesOf(c.deployment)));
}

// Each year as if it had been asked today: safe where the answer is, replayed where it was.
void addGrowth(SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue, bool simulate,
               const RunControl& control)
{
    constexpr int years = 4; // today and the usual three years of a machine's first life
    constexpr std::int64_t workOfGrowth = 2'000'000; // of replays
    if (!plan.meets || scenario.growthPerYear == 0 || !loadOf(scenario).stated())
        return;
    const auto work = std::make_shared<std::int64_t>(workOfGrowth);
    const SearchOptions options{.onlyBest = true,
                                .simulate = simulate,
                                .explain = false,
                                .safer = true,
                                .onlyGambles = true,
                                .most = false,
                                .work = work};
    const auto add = [&plan](int year, const Candidate* best) {
        YearOfGrowth row{.year = year};
        if (best != nullptr) {
            row.gpus = best->gpus();
            row.usdPerHour = perHour(best->point.prediction.service.price);
        }
        plan.growth.push_back(row);
    };
    add(0, &plan.answer);
    for (int year = 1; year < years; ++year) {
        Scenario later = scenario;
        later.gpus = {plan.answer.deployment.gpu->id};
        later.peakFactor = scenario.peakFactor * std::pow(1 + scenario.growthPerYear, year);
        const Result<BusiestLoad> load = decidingLoad(later, {}); // a trace was made a rate before
        const auto best = load ? findAnswer(later, *load, catalogue, options, control)
                               : Result<std::shared_ptr<SizingPlan>>(refuse(load.error()));
        const bool meets = best && (*best)->meets;
        if (!meets && *work <= 0) {
            plan.assumptions.push_back(say("growth was not reckoned from year {} on: {}", year, runsSpent()));
            return;
        }
        // One year's may be a surer one than the next's: machines that are there are not given back.
        if (meets && (*best)->answer.gpus() >= plan.growth.back().gpus)
            add(year, &(*best)->answer);
        else if (meets)
            plan.growth.push_back({year, plan.growth.back().gpus, plan.growth.back().usdPerHour});
        else
            add(year, nullptr);
    }
}

} // namespace

std::optional<Candidate> Replanner::best(const Scenario& scenario, bool sure) const
{
    const Scenario priced = withPurchasePrice(scenario, m_catalogue);
    const auto machines = scenario.gpus.empty()
        ? machinesToTry(priced, m_catalogue).map([](MachinesToTry all) { return all.resolved; })
        : machinesOf(priced, m_catalogue);
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
            const bool open = !scenario.gpuCount && !scenario.replicas;
            if (tooLarge && open)
                break;
            if (best && best->meets && !best->prompts && open && growsWithGpus(scenario.objective)
                && !mayCarryWith(paidGpusOf(*best), *machine, layout, scenario, sure))
                continue;
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
    std::future<FoundHints> hints;
    if (simulate)
        hints
            = std::async(std::launch::async, [&plan, &scenario, &catalogue, &replanner, stop = control.stop] {
                  return hintsFor(plan, scenario, catalogue, replanner, {.stop = stop});
              });
    FoundRemedies remedies = remediesFor(plan, scenario, catalogue, replanner, simulate, control);
    plan.remedies = std::move(remedies.remedies);
    if (!remedies.all)
        plan.assumptions.push_back(say("not every change that would do was tried: {}", runsSpent()));
    const Scenario set = asTuned(scenario, *plan.answer.deployment.engine);
    plan.sensitivity = sensitivityOf(plan, set, replanner);
    FoundBreakPoints breaks = breakPointsOf(plan, set, replanner, simulate, control);
    plan.breakPoints = std::move(breaks.points);
    plan.breaksSought = breaks.notSought.empty();
    if (!plan.breaksSought)
        plan.assumptions.push_back(say("not searched: how many more {} would change the answer; {}",
                                       joined(std::move(breaks.notSought), ", "), runsSpent()));
    addGrowth(plan, set, catalogue, simulate, control);
    if (scenario.allowed.tune)
        plan.assumptions.push_back("sensitivity, break points and growth keep the engine as it was set here");
    plan.pareto = paretoOf(*plan.answer.machine, scenario);
    if (hints.valid()) {
        FoundHints found = hints.get();
        plan.hints = std::move(found.hints);
        if (!found.all)
            plan.assumptions.push_back(say("not every change that would save was tried: {}", runsSpent()));
    }
    if (comparesAccelerators(scenario)) {
        Scenario one = scenario;
        one.gpus = {plan.answer.deployment.gpu->id};
        askOfAll(plan, one, scenario);
    }
    if (plan.meets && plan.answer.simulated)
        plan.assumptions.push_back(
            simulate && !plan.growth.empty()
                ? Message("the answer, its growth and its break points stood a replay of the traffic; "
                          "sensitivity is closed form")
                : "the answer and its break points stood a replay of the traffic; sensitivity is closed "
                  "form");
}

} // namespace headroom
