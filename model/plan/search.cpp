#include "model/plan/search.h"

#include "model/plan/explain_plan.h"
#include "model/plan/finalists.h"
#include "model/plan/judge.h"
#include "model/plan/layouts.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
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
        return -c.point.prediction.service.outputTokensPerSecond.value.base() / c.gpus();
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

// A bought machine whose price the user did not give costs what the catalogue says.
Scenario priced(Scenario scenario, const Catalogue& catalogue)
{
    if (!scenario.money.buy || scenario.money.purchasePrice)
        return scenario;
    const auto match = catalogue.findGpu(scenario.gpus.front());
    const auto gpu = match ? catalogue.gpu(match->id) : catalogue.gpu(scenario.gpus.front());
    if (gpu)
        scenario.money.purchasePrice = (*gpu)->purchasePrice;
    return scenario;
}

struct Machines {
    std::vector<std::shared_ptr<const Resolved>> resolved;
    std::vector<std::string> leftOut; // with the reason
};

Result<Machines> resolveAll(const Scenario& scenario, const Catalogue& catalogue)
{
    const std::vector<std::string> ids = gpusToTry(scenario, catalogue);
    Machines out;
    Problems problems;
    for (const std::string& id : ids) {
        Scenario one = scenario;
        one.gpus = {id};
        Result<Resolved> resolved = resolveMachine(priced(one, catalogue), catalogue);
        if (resolved) {
            out.resolved.push_back(std::make_shared<const Resolved>(*std::move(resolved)));
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

void describeChoice(SizingPlan& plan, const Scenario& scenario, const Machines& machines)
{
    const Resolved& machine = *plan.answer.machine;
    plan.assumptions = machine.assumptions;
    plan.warnings = machine.warnings;
    plan.scenario = machine.scenario;
    plan.scenario.gpus = scenario.gpus;
    plan.scenario.money = scenario.money;
    if (scenario.gpus.empty())
        plan.assumptions.push_back(fmt::format(
            "{} accelerators of NVIDIA and AMD were compared; others are tried when they are named",
            machines.resolved.size()));
    if (!scenario.concurrency && !scenario.requestsPerSecond && !scenario.batch)
        plan.assumptions.push_back(
            "one user at a time decides the size; the most it carries is shown beside it");
    if (scenario.headroom > 0 && loadOf(scenario).stated())
        plan.assumptions.push_back(
            fmt::format("{:.0f} % of the capacity kept free", scenario.headroom * 100));
    if (scenario.spares > 0)
        plan.assumptions.push_back(
            fmt::format("figures hold with {} replica(s) out of service", scenario.spares));
}

} // namespace

int Candidate::nodes() const
{
    const int perNode = std::max(1, deployment.node->gpusPerNode);
    const int perReplica = deployment.layout.gpusPerReplica();
    if (perReplica >= perNode)
        return deployment.layout.replicas * ((perReplica + perNode - 1) / perNode);
    const int inOne = perNode / perReplica;
    return (deployment.layout.replicas + inOne - 1) / inOne;
}

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
        const bool heldA = a.point.prediction.memory.fits;
        const bool heldB = b.point.prediction.memory.fits;
        return std::tuple(!heldA, -a.confidence, -speed(a), a.gpus(), price(a))
            < std::tuple(!heldB, -b.confidence, -speed(b), b.gpus(), price(b));
    }
    const auto rank = [&](const Candidate& c) {
        // Equal GPUs of different kinds: the cheaper; equal price: the surer, then the faster.
        return std::tuple(key(c, objective), static_cast<double>(c.gpus()), price(c),
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
        for (const Layout& layout : possibleLayouts(machine->deployment, scenario)) {
            if (pruning.over(machine->deployment, layout))
                break; // layouts come by size
            out.push_back(judge(machine, layout, scenario, false, prune ? Depth::Verdict : Depth::Whole));
            pruning.found(out.back());
        }
    }
    std::stable_sort(out.begin(), out.end(), [&](const Candidate& a, const Candidate& b) {
        return better(a, b, scenario.objective);
    });
    return out;
}

Result<std::shared_ptr<const SizingPlan>> size(const Scenario& scenario, const Catalogue& catalogue,
                                               const SearchOptions& options, const RunControl& control)
{
    Result<Machines> machines = resolveAll(scenario, catalogue);
    if (!machines)
        return refuse(std::move(machines.error()));
    control.progress(0.1, "search");
    // A few named accelerators: every layout is worth seeing. The whole catalogue: the best of each.
    const bool prune = options.prune && machines->resolved.size() > 4;
    auto plan = std::make_shared<SizingPlan>();
    plan->candidates = searchMachines(machines->resolved, scenario, prune);
    plan->evaluated = plan->candidates.size();
    if (plan->candidates.empty()) {
        const std::string why = whyNoLayout(machines->resolved.front()->deployment, scenario);
        return refuse("layout", why.empty() ? "no layout can run this" : why, {});
    }
    control.progress(0.3, "simulate");
    if (options.simulate)
        simulateFinalists(plan->candidates, scenario, control);
    constexpr std::size_t shown = 50;
    for (std::size_t i = 0; i < plan->candidates.size() && i < shown; ++i)
        complete(plan->candidates[i], scenario);
    plan->answer = plan->candidates.front();
    plan->meets = plan->answer.meets;
    describeChoice(*plan, scenario, *machines);
    control.progress(0.5, "explain");
    if (!plan->meets)
        plan->reason = whyNothingMeets(plan->candidates, scenario);
    if (options.explain)
        explain(*plan, scenario, catalogue);
    control.progress(1, "done");
    return std::shared_ptr<const SizingPlan>(std::move(plan));
}

} // namespace headroom
