#include "model/plan/search.h"

#include "model/plan/busiest_load.h"
#include "model/plan/explain_plan.h"
#include "model/plan/finalists.h"
#include "model/plan/judge.h"
#include "model/plan/layouts.h"
#include "model/plan/load_curve.h"
#include "model/plan/machines_to_try.h"
#include "model/plan/money.h"
#include "model/plan/more_replicas.h"
#include "model/plan/pools.h"
#include "model/plan/proven_load.h"
#include "model/plan/ranking.h"
#include "model/plan/rules_of_thumb.h"
#include "model/plan/stated_machines.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <utility>

namespace headroom {

namespace {

// A total does not grow with fewer GPUs of one kind only for these: what pruning may rely on.
bool growsWithGpus(Objective objective)
{
    return objective == Objective::FewestGpus || objective == Objective::CheapestHour;
}

// Leaves out what cannot be better than what was found. Totals grow with the size of a replica only for these
// two objectives; for the others every layout is judged.
class Pruning {
public:
    // Candidates up to twice as large as the best are kept: a buyer wants to see what stands beside the
    // answer.
    static constexpr double kept = 2;
    static constexpr double unknown = 1e300; // nothing found yet, no price: above every total

    Pruning(const Scenario& scenario, bool on)
        : m_scenario(scenario),
          m_on(on && growsWithGpus(scenario.objective) && !scenario.gpuCount && !scenario.replicas)
    {}

    void machine() { m_ofMachine = unknown; }
    // No service of this machine with replicas of this size or larger can matter.
    [[nodiscard]] bool over(const Deployment& d, const Layout& layout) const
    {
        const double least = total(d, layout.gpusPerReplica() * (1 + m_scenario.spares));
        return m_on && (least > m_best * kept || (least > m_ofMachine && least < unknown));
    }
    void found(const Candidate& c)
    {
        if (!c.meets)
            return;
        const double sum = total(c.deployment, c.gpus());
        m_best = std::min(m_best, sum);
        m_ofMachine = std::min(m_ofMachine, sum);
    }

private:
    [[nodiscard]] double total(const Deployment& d, int gpus) const
    {
        if (m_scenario.objective == Objective::FewestGpus)
            return gpus;
        return d.gpu->cloudPrice ? perHour(*d.gpu->cloudPrice) * gpus : unknown;
    }

    const Scenario& m_scenario;
    bool m_on;
    double m_best = unknown;
    double m_ofMachine = unknown;
};

std::vector<Candidate> searchAll(const MachinesToTry& machines, const Scenario& scenario, bool prune)
{
    std::vector<Candidate> out;
    if (scenario.prefill.pools != Disaggregation::Only)
        out = searchMachines(machines.resolved, scenario, prune);
    if (scenario.prefill.pools == Disaggregation::No)
        return out;
    std::vector<Candidate> pools = searchPools(machines.resolved, machines.prompting, scenario);
    out.insert(out.end(), std::make_move_iterator(pools.begin()), std::make_move_iterator(pools.end()));
    return bestFirst(std::move(out), scenario.objective);
}

// The load that decides the size, and what is best where so many GPUs are there: how few of them would do was
// not asked, but what they give.
Result<BusiestLoad> decidingLoad(const Scenario& asked)
{
    return busiestLoad(asked).transform([](BusiestLoad busiest) {
        if (busiest.scenario.gpuCount && busiest.scenario.objective == Objective::FewestGpus)
            busiest.scenario.objective = Objective::FastestStream;
        return busiest;
    });
}

// Of the answer's accelerators as the catalogue lists them.
std::optional<RentOrOwn> rentOrOwn(const Candidate& answer, const Money& money, const Catalogue& catalogue)
{
    // The power of both pools is one figure: it goes with the pool that decodes.
    const auto of = [&](const Deployment& d, Watts power) -> std::optional<RentOrOwn> {
        const auto listed = catalogue.gpu(d.gpu->id);
        return listed ? rentOrOwn(**listed, money, d.layout.gpus(), power) : std::nullopt;
    };
    std::optional<RentOrOwn> all = of(answer.deployment, answer.point.prediction.service.power.value);
    if (!all || !answer.prompts)
        return all;
    const std::optional<RentOrOwn> prompts = of(answer.prompts->deployment, Watts());
    return prompts ? std::optional(*all + *prompts) : std::nullopt;
}

// GPUs whose number was stated are there and paid for: of what meets the targets, uses that leave some idle
// stand behind those that do not.
void useAllFirst(std::vector<Candidate>& candidates, const Scenario& scenario)
{
    // The highest throughput counts what stands idle by itself.
    if (!scenario.gpuCount || scenario.objective == Objective::MostThroughput)
        return;
    const auto misses
        = std::find_if(candidates.begin(), candidates.end(), [](const Candidate& c) { return !c.meets; });
    std::stable_partition(candidates.begin(), misses,
                          [&](const Candidate& c) { return c.gpus() >= *scenario.gpuCount; });
}

void describeChoice(SizingPlan& plan, const Scenario& scenario, const MachinesToTry& machines)
{
    const Resolved& machine = *plan.answer.machine;
    plan.assumptions = machine.assumptions;
    plan.warnings = machine.warnings;
    plan.scenario = machine.scenario;
    plan.scenario.gpus = scenario.gpus;
    plan.scenario.money = scenario.money;
    const Targets& targets = scenario.targets;
    const double each = plan.answer.point.tokensPerSecondPerUser.value.base();
    const double slowest = 1 / tpotForReading(readingSpeeds().front().wordsPerMinute, tokensPerWord).base();
    if (plan.answer.meets && !targets.tokensPerSecond && !targets.tpot && !targets.latency && each < slowest)
        plan.warnings.push_back(fmt::format(
            "{:.3g} tokens/s for each user are slower than people read ({:.3g}): no speed was asked for",
            each, slowest));
    if (scenario.gpus.empty())
        plan.assumptions.push_back(fmt::format(
            "{} accelerators of NVIDIA and AMD were compared; others are tried when they are named",
            machines.kinds));
    if (scenario.prefill.pools != Disaggregation::No && machines.prompting.empty()
        && scenario.gpus.size() != 1)
        plan.assumptions.push_back(
            "both pools use the same accelerator; others are paired when they are named");
    if (!scenario.concurrency && !scenario.requestsPerSecond && !scenario.batch)
        plan.assumptions.push_back(
            fullyLoaded(scenario)
                ? "no load was stated: figures are for as many users at once as it carries"
                : "one user at a time decides the size; the most it carries is shown beside it");
    const Deployment& chosen = plan.answer.deployment;
    if (chosen.layout.gpusPerReplica() > chosen.node->gpusPerNode && takesWholeBoxes(chosen, scenario))
        plan.assumptions.push_back("a replica that does not fit into one box takes whole boxes");
    if (scenario.headroom > 0 && loadOf(scenario).stated() && !scenario.gpuCount && !scenario.replicas)
        plan.assumptions.push_back(
            fmt::format("{:.0f} % of the capacity kept free", scenario.headroom * 100));
    if (scenario.spares > 0)
        plan.assumptions.push_back(
            scenario.spares == 1
                ? "figures hold with one replica out of service"
                : fmt::format("figures hold with {} replicas out of service", scenario.spares));
}

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
        answer.maxRequestsPerSecond = rate > 0 ? rate : curve.rateAt(each) * working;
        if (fullyLoaded(scenario)) { // what is told of it is of as many
            answer.point = curve.at(each, replicas);
            tellServedLoad(answer.point, scenario, replicas);
            answer.load.batch = each;
            answer.confidence = most->confidence;
        }
    } else if (most && !load.stated()) { // nobody is served in time, whatever the closed form says
        answer.meets = false;
        answer.reason = most->reason;
        plan.meets = false;
    }
    plan.candidates.front() = answer;
    return most && most->load.stated();
}

// Where the most is what was asked for, closed form may rank what no replay bears out: the best few are
// proven, until the best of all is one of them.
bool proveBest(SizingPlan& plan, const Scenario& scenario, bool replay, const RunControl& control)
{
    constexpr int mostProven = 8;
    bool proven = proveMost(plan, scenario, replay, control);
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
        if (last || !plan.meets || isKnown(plan.answer))
            return plan.meets && isKnown(plan.answer);
        complete(plan.answer, scenario);
        proven = proveMost(plan, scenario, replay, control);
    }
    return proven;
}

// How many are safe where no load was stated.
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

void describeLoad(SizingPlan& plan, const Scenario& asked, const BusiestLoad& busiest)
{
    if (!busiest.curve)
        return;
    plan.scenario.traffic = asked.traffic;
    plan.scenario.trace = asked.trace;
    plan.scenario.requestsPerSecond = asked.requestsPerSecond;
    const double minutes = std::round(busiest.curve->stretch.base() / 60);
    plan.assumptions.push_back(
        minutes > 1
            ? fmt::format("the busiest {:.0f} minutes decide the size: {:.4g} requests/s, {:.4g} on average",
                          minutes, busiest.curve->peak(), busiest.curve->mean())
            : busiest.curve->stretch.base() < 55
            ? fmt::format("the whole trace of {:.0f} s decides the size: {:.4g} requests/s",
                          busiest.curve->stretch.base(), busiest.curve->peak())
            : fmt::format("the busiest minute decides the size: {:.4g} requests/s, {:.4g} on average",
                          busiest.curve->peak(), busiest.curve->mean()));
    if (!asked.trace.empty())
        plan.assumptions.push_back(
            fmt::format("lengths as recorded: {:.0f} prompt and {:.0f} output tokens on average",
                        busiest.scenario.prompt.mean(), busiest.scenario.output.mean()));
    if (plan.meets)
        plan.day = fleetOver(*busiest.curve, plan.answer, asked.spares);
}

} // namespace

std::vector<Candidate> searchMachines(const std::vector<std::shared_ptr<const Resolved>>& machines,
                                      const Scenario& scenario, bool prune)
{
    // Large memory first: a good answer early leaves out the most.
    std::vector<std::shared_ptr<const Resolved>> order = machines;
    std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
        return a->deployment.gpu->memoryUsable > b->deployment.gpu->memoryUsable;
    });
    std::vector<Candidate> out;
    Pruning pruning(scenario, prune);
    for (const auto& machine : order) {
        pruning.machine();
        std::vector<Candidate> ofMachine;
        for (const Layout& layout : possibleLayouts(*machine, scenario)) {
            if (pruning.over(machine->deployment, layout))
                break; // layouts come by size
            ofMachine.push_back(
                judge(machine, layout, scenario, false, prune ? Depth::Verdict : Depth::Whole));
            pruning.found(ofMachine.back());
        }
        std::vector<Candidate> larger
            = prune ? std::vector<Candidate>() : withMoreReplicas(ofMachine, scenario);
        for (std::vector<Candidate>* found : {&ofMachine, &larger})
            out.insert(out.end(), std::make_move_iterator(found->begin()),
                       std::make_move_iterator(found->end()));
    }
    return bestFirst(std::move(out), scenario.objective);
}

Result<std::shared_ptr<const SizingPlan>> size(const Scenario& asked, const Catalogue& catalogue,
                                               const SearchOptions& options, const RunControl& control)
{
    if (!asked.gpuCounts.empty())
        return sizeStatedMachines(asked, catalogue, options, control);
    const Result<BusiestLoad> busiest = decidingLoad(asked);
    if (!busiest)
        return refuse(busiest.error());
    const Scenario& scenario = busiest->scenario;
    const Result<MachinesToTry> machines = machinesToTry(scenario, catalogue);
    if (!machines)
        return refuse(machines.error());
    control.progress(0.1, "search");
    // Named accelerators: every layout is worth seeing. The whole catalogue: the best of each.
    const bool prune = options.prune && machines->kinds > (scenario.gpus.empty() ? 4 : 12);
    auto plan = std::make_shared<SizingPlan>();
    plan->candidates = searchAll(*machines, scenario, prune);
    plan->evaluated = plan->candidates.size();
    if (plan->candidates.empty()) {
        const std::string why = whyNoLayout(machines->resolved.front()->deployment, scenario);
        return refuse("layout", why.empty() ? "no layout can run this" : why, {});
    }
    useAllFirst(plan->candidates, scenario);
    control.progress(0.3, "simulate");
    const bool settled
        = !options.simulate || simulateFinalists(plan->candidates, scenario, busiest->recorded, control);
    useAllFirst(plan->candidates, scenario);
    constexpr std::size_t shown = 50;
    for (std::size_t i = 0; i < plan->candidates.size() && i < shown; ++i)
        complete(plan->candidates[i], scenario);
    plan->answer = plan->candidates.front();
    plan->meets = plan->answer.meets;
    const bool mostProven = proveBest(*plan, scenario, options.simulate, control);
    tellSafeUsers(*plan, scenario, mostProven, control);
    describeChoice(*plan, scenario, *machines);
    describeLoad(*plan, asked, *busiest);
    if (mostProven)
        plan->assumptions.emplace_back(
            "the most it carries stood a replay; that of the others is closed form");
    if (plan->answer.point.prediction.memory.fits)
        plan->rentOrOwn = rentOrOwn(plan->answer, scenario.money, catalogue);
    if (asked.objective != scenario.objective && *asked.gpuCount > 1)
        plan->assumptions.push_back(
            fmt::format("of {} GPUs that are there the use that is fastest for each user", *asked.gpuCount));
    if (!settled)
        plan->warnings.push_back(
            "layouts that look better in closed form were not replayed: the runs that one answer may take "
            "went to others");
    control.progress(0.5, "explain");
    if (!plan->meets)
        plan->reason = whyNothingMeets(plan->candidates, scenario);
    if (options.explain)
        explain(*plan, scenario, catalogue, options.simulate, control);
    control.progress(1, "done");
    return std::shared_ptr<const SizingPlan>(std::move(plan));
}

Result<void> explainAnswer(SizingPlan& plan, const Scenario& asked, const Catalogue& catalogue,
                           const SearchOptions& options, const RunControl& control)
{
    return decidingLoad(asked).transform([&](const BusiestLoad& busiest) {
        explain(plan, busiest.scenario, catalogue, options.simulate, control);
    });
}

} // namespace headroom
