#include "model/plan/search.h"

#include "model/plan/busiest_load.h"
#include "model/plan/explain_plan.h"
#include "model/plan/finalists.h"
#include "model/plan/judge.h"
#include "model/plan/layouts.h"
#include "model/plan/load_curve.h"
#include "model/plan/money.h"
#include "model/plan/pools.h"
#include "model/plan/rules_of_thumb.h"
#include "model/plan/stated_machines.h"
#include "model/plan/variants.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <iterator>
#include <numeric>
#include <tuple>
#include <utility>

namespace headroom {

namespace {

constexpr double unknown = 1e300; // of a price: sorts behind every known one

double price(const Candidate& c)
{
    const Service& service = c.point.prediction.service;
    return service.priceKnown ? perHour(service.price) : unknown;
}

double pricePerToken(const Candidate& c)
{
    const Service& service = c.point.prediction.service;
    return service.priceKnown ? service.dollarsPerMillionOutputTokens.value.base() : unknown;
}

double speed(const Candidate& c) { return c.point.tokensPerSecondPerUser.value.base(); }

double energy(const Candidate& c)
{
    const double joules = c.point.prediction.service.joulesPerOutputToken.value.base();
    return joules > 0 ? joules : unknown;
}

// The objective's own figure, smaller is better.
double key(const Candidate& c, Objective objective)
{
    switch (objective) {
    case Objective::FewestGpus:
        return c.gpus();
    case Objective::CheapestHour:
        return price(c);
    case Objective::CheapestTokens:
        return pricePerToken(c);
    case Objective::LeastEnergy:
        return energy(c);
    case Objective::MostThroughput:
        // GPUs that were given and stand idle are paid for as well.
        return -c.point.prediction.service.outputTokensPerSecond.value.base()
            / c.machine->scenario.gpuCount.value_or(c.gpus());
    case Objective::FastestStream:
        return -speed(c);
    }
    return 0;
}

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

// Accelerators people rent or buy to run these engines on: the others must be named.
bool consideredUnasked(const Gpu& gpu)
{
    return (gpu.vendor == "NVIDIA" || gpu.vendor == "AMD")
        && gpu.formFactor.find("Socket") == std::string::npos;
}

std::vector<std::string> gpusToTry(const Scenario& scenario, const Catalogue& catalogue)
{
    if (!scenario.gpus.empty())
        return scenario.gpus;
    std::vector<std::string> out;
    for (const std::string& id : catalogue.gpuIds())
        if (const auto gpu = catalogue.gpu(id); gpu && consideredUnasked(**gpu))
            out.push_back(id);
    return out;
}

struct Machines {
    std::vector<std::shared_ptr<const Resolved>> resolved;
    std::vector<std::shared_ptr<const Resolved>> prompting; // empty: the one that decodes
    std::size_t kinds = 0;                                  // accelerators among the first
    std::vector<std::string> leftOut;                       // with the reason
};

Result<Machines> resolveAll(const Scenario& scenario, const Catalogue& catalogue)
{
    const std::vector<std::string> ids = gpusToTry(scenario, catalogue);
    Machines out;
    Problems problems;
    for (const std::string& id : ids) {
        Scenario one = scenario;
        one.gpus = {id};
        auto resolved = machinesOf(withPurchasePrice(one, catalogue), catalogue);
        if (resolved) {
            ++out.kinds;
            out.resolved.insert(out.resolved.end(), resolved->begin(), resolved->end());
            continue;
        }
        const bool asked = !scenario.gpus.empty() || resolved.error().front().where == "model";
        if (!asked)
            out.leftOut.push_back(fmt::format("{}: {}", id, resolved.error().front().what));
        for (Problem& problem : resolved.error())
            if (asked && std::find(problems.begin(), problems.end(), problem) == problems.end())
                problems.push_back(std::move(problem));
    }
    if (out.resolved.empty() || (!problems.empty() && !scenario.gpus.empty()))
        return refuse(problems.empty() ? Problems{{"gpu", "no accelerator of the catalogue runs this", {}}}
                                       : problems);
    return out;
}

// The accelerators that may compute prompts in a pool of their own.
Result<Machines> withPromptPool(Machines machines, const Scenario& scenario, const Catalogue& catalogue)
{
    const PrefillChoice& prefill = scenario.prefill;
    if (prefill.pools == Disaggregation::No)
        return machines;
    const Engine& engine = *machines.resolved.front()->deployment.engine;
    if (!engine.disaggregates)
        return refuse("disaggregate", fmt::format("{} keeps prompts and decodes together", engine.name),
                      "vllm, sglang and tensorrt-llm run them apart");
    if (!prefill.gpu.empty()) {
        Scenario other = scenario;
        other.gpus = {prefill.gpu};
        other.node.clear();
        other.compute.reset();
        other.calibration.clear();
        auto resolved = machinesOf(withPurchasePrice(other, catalogue), catalogue);
        if (!resolved)
            return refuse(std::move(resolved.error()));
        machines.prompting = *std::move(resolved);
    } else if (scenario.gpus.size() > 1) {
        machines.prompting = machines.resolved; // a few that were named: every pair
    }
    return machines;
}

// Candidates are large: their places are sorted, and each is moved once.
std::vector<Candidate> bestFirst(std::vector<Candidate> candidates, Objective objective)
{
    std::vector<std::size_t> order(candidates.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return better(candidates[a], candidates[b], objective);
    });
    std::vector<Candidate> out;
    out.reserve(candidates.size());
    for (const std::size_t i : order)
        out.push_back(std::move(candidates[i]));
    return out;
}

std::vector<Candidate> searchAll(const Machines& machines, const Scenario& scenario, bool prune)
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

void describeChoice(SizingPlan& plan, const Scenario& scenario, const Machines& machines)
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
    if (scenario.headroom > 0 && loadOf(scenario).stated())
        plan.assumptions.push_back(
            fmt::format("{:.0f} % of the capacity kept free", scenario.headroom * 100));
    if (scenario.spares > 0)
        plan.assumptions.push_back(
            fmt::format("figures hold with {} replica(s) out of service", scenario.spares));
}

void describeLoad(SizingPlan& plan, const Scenario& asked, const BusiestLoad& busiest)
{
    if (!busiest.curve)
        return;
    plan.scenario.traffic = asked.traffic;
    plan.scenario.trace = asked.trace;
    plan.scenario.requestsPerSecond = asked.requestsPerSecond;
    plan.assumptions.push_back(fmt::format(
        "the busiest {:.0f} minutes decide the size: {:.4g} requests/s, {:.4g} on average",
        std::max(1.0, busiest.curve->stretch.base() / 60), busiest.curve->peak(), busiest.curve->mean()));
    if (!asked.trace.empty())
        plan.assumptions.push_back(
            fmt::format("lengths as recorded: {:.0f} prompt and {:.0f} output tokens on average",
                        busiest.scenario.prompt.mean(), busiest.scenario.output.mean()));
    if (plan.meets)
        plan.day = fleetOver(*busiest.curve, plan.answer, asked.spares);
}

} // namespace

int nodesOf(const Deployment& deployment)
{
    const int perNode = std::max(1, deployment.node->gpusPerNode);
    const int perReplica = deployment.layout.gpusPerReplica();
    if (perReplica >= perNode)
        return deployment.layout.replicas * ((perReplica + perNode - 1) / perNode);
    const int inOne = perNode / perReplica;
    return (deployment.layout.replicas + inOne - 1) / inOne;
}

int Candidate::nodes() const { return nodesOf(deployment) + (prompts ? nodesOf(prompts->deployment) : 0); }

std::string_view Candidate::limitedBy() const
{
    if (!point.prediction.memory.fits)
        return "memory capacity";
    if (meets && concurrencyLimit == Capacity::Limit::Memory)
        return "memory capacity";
    if (meets && concurrencyLimit == Capacity::Limit::EngineSequences)
        return "the engine's limit of sequences";
    const StepCost& step = missed == TargetKind::Ttft ? point.prediction.prefill : point.prediction.decode;
    switch (step.bound) {
    case Bound::Compute:
        return "compute";
    case Bound::Memory:
        return "memory bandwidth";
    case Bound::Launch:
        return "launch and host time";
    case Bound::Link:
        return "link";
    }
    return "memory bandwidth";
}

bool better(const Candidate& a, const Candidate& b, Objective objective)
{
    if (a.meets != b.meets)
        return a.meets;
    if (!a.meets) { // the nearest miss: what holds the model, then by how much it misses
        // What holds the model before what does not; then by how much the target is missed, in steps of a
        // twentieth: a little closer is not worth many GPUs.
        const auto miss = [](const Candidate& c) {
            const MemoryPlan& memory = c.point.prediction.memory;
            const double over = memory.fits ? 0 : memory.perGpu.used / memory.perGpu.usable;
            const double by = memory.fits ? std::round(std::log(std::max(1.0, c.missedBy)) * 20) : 0;
            return std::tuple(over, by, static_cast<double>(c.gpus()), memory.fits ? -speed(c) : 0,
                              memory.fits ? price(c) : 0);
        };
        return miss(a) < miss(b);
    }
    const auto rank = [&](const Candidate& c) {
        // Equal GPUs of different kinds: the cheaper; equal price: the surer, then the faster.
        // What was stated or published stands before what was merely allowed.
        return std::tuple(key(c, objective), static_cast<double>(c.gpus()), price(c), c.liberties,
                          -std::round(c.confidence * 100), -speed(c), c.deployment.layout.pp,
                          std::string_view(c.deployment.gpu->id));
    };
    return rank(a) < rank(b);
}

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
        for (const Layout& layout : possibleLayouts(*machine, scenario)) {
            if (pruning.over(machine->deployment, layout))
                break; // layouts come by size
            out.push_back(judge(machine, layout, scenario, false, prune ? Depth::Verdict : Depth::Whole));
            pruning.found(out.back());
        }
    }
    return bestFirst(std::move(out), scenario.objective);
}

Result<std::shared_ptr<const SizingPlan>> size(const Scenario& asked, const Catalogue& catalogue,
                                               const SearchOptions& options, const RunControl& control)
{
    if (!asked.gpuCounts.empty())
        return sizeStatedMachines(asked, catalogue, options, control);
    Result<BusiestLoad> busiest = busiestLoad(asked);
    if (!busiest)
        return refuse(std::move(busiest.error()));
    // So many GPUs are there: how few of them would do was not asked, but what they give.
    if (busiest->scenario.gpuCount && busiest->scenario.objective == Objective::FewestGpus)
        busiest->scenario.objective = Objective::FastestStream;
    const Scenario& scenario = busiest->scenario;
    Result<Machines> machines = resolveAll(scenario, catalogue).and_then([&](Machines all) {
        return withPromptPool(std::move(all), scenario, catalogue);
    });
    if (!machines)
        return refuse(std::move(machines.error()));
    control.progress(0.1, "search");
    // A few named accelerators: every layout is worth seeing. The whole catalogue: the best of each.
    const bool prune = options.prune && machines->kinds > 4;
    auto plan = std::make_shared<SizingPlan>();
    plan->candidates = searchAll(*machines, scenario, prune);
    plan->evaluated = plan->candidates.size();
    if (plan->candidates.empty()) {
        const std::string why = whyNoLayout(machines->resolved.front()->deployment, scenario);
        return refuse("layout", why.empty() ? "no layout can run this" : why, {});
    }
    control.progress(0.3, "simulate");
    const bool settled
        = !options.simulate || simulateFinalists(plan->candidates, scenario, busiest->recorded, control);
    constexpr std::size_t shown = 50;
    for (std::size_t i = 0; i < plan->candidates.size() && i < shown; ++i)
        complete(plan->candidates[i], scenario);
    plan->answer = plan->candidates.front();
    plan->meets = plan->answer.meets;
    describeChoice(*plan, scenario, *machines);
    describeLoad(*plan, asked, *busiest);
    if (const auto listed = catalogue.gpu(plan->answer.deployment.gpu->id);
        listed && !plan->answer.prompts && plan->answer.point.prediction.memory.fits)
        plan->rentOrOwn = rentOrOwn(**listed, scenario.money, plan->answer.gpus());
    if (asked.objective != scenario.objective)
        plan->assumptions.push_back(
            fmt::format("of {} GPUs that are there the use that is fastest for each user", *asked.gpuCount));
    if (!settled)
        plan->warnings.push_back(
            "the answer's verdict is closed form: replays of the traffic used up their number "
            "on candidates that did not stand it");
    control.progress(0.5, "explain");
    if (!plan->meets)
        plan->reason = whyNothingMeets(plan->candidates, scenario);
    if (options.explain)
        explain(*plan, scenario, catalogue, options.simulate, control);
    control.progress(1, "done");
    return std::shared_ptr<const SizingPlan>(std::move(plan));
}

} // namespace headroom
