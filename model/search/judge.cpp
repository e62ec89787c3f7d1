#include "model/search/judge.h"

#include "model/base/currency.h"
#include "model/base/three_digits.h"
#include "model/count/weights.h"
#include "model/resolve/money.h"
#include "model/scenario/service_load.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

double usersOfOne(const Candidate& c, const ReplicaCurve& curve, const Scenario& scenario,
                  const Capacity& capacity)
{
    const ServiceLoad load = loadOf(scenario);
    const double working = std::max(1, c.deployment.layout.replicas - scenario.spares);
    if (scenario.batch)
        return *scenario.batch;
    if (load.users > 0)
        return std::ceil(load.users / working);
    if (load.requestsPerSecond > 0)
        return usersAtRate(curve, load.requestsPerSecond / working, capacity.users);
    return fullyLoaded(scenario) ? std::max(1.0, capacity.users) : 1;
}

Message targetText(TargetKind kind)
{
    switch (kind) {
    case TargetKind::Speed:
        return "tokens/s for each user";
    case TargetKind::Ttft:
        return "time to first token";
    case TargetKind::Tpot:
        return "time between tokens";
    case TargetKind::Latency:
        return "latency of a request";
    case TargetKind::None:
        break;
    }
    return "the load";
}

// GB short on the fullest GPU for one sequence.
Message memoryText(const Prediction& p)
{
    return say("memory: {:.1f} GB on each GPU, {:.1f} GB can be used", p.memory.perGpu.used.base() / 1e9,
               p.memory.perGpu.usable.base() / 1e9);
}

void fillMaximum(Candidate& c, const ReplicaCurve& curve, const Capacity& capacity)
{
    c.maximumKnown = true;
    c.concurrencyLimit = capacity.limit;
    c.maxConcurrency = capacity.users * c.deployment.layout.replicas;
    if (capacity.users > 0)
        c.maxRequestsPerSecond = curve.rateAt(capacity.users) * c.deployment.layout.replicas;
}

// Tokens that the load asks for are those that are paid: machines that stand by or wait cost as much.
void scaleServed(Prediction& p, double share)
{
    if (share >= 1)
        return;
    const auto less = [share](auto& rate) { rate = rate * share; };
    const auto more = [share](auto& each) { each = each / share; };
    less(p.service.outputTokensPerSecond);
    less(p.service.totalTokensPerSecond);
    less(p.requestsPerSecond);
    more(p.service.dollarsPerMillionOutputTokens);
    more(p.service.joulesPerOutputToken);
}

// Stages inside a box whose links would carry a split of every layer: unusual, and little was published of
// it.
bool pipesInsideBox(const Resolved& machine, const Layout& layout)
{
    const Deployment& d = machine.deployment;
    Layout split = layout;
    split.tp *= std::exchange(split.pp, 1);
    return layout.pp > 1 && !machine.scenario.pp && split.tp <= d.node->gpusPerNode
        && d.node->intra.topology == LinkTopology::Switch && layoutObstacle(*d.llm, split).empty();
}

// GPUs that the budgets pay: how many users a budget carries is asked of all that it buys. One where no
// budget is stated, or none of its prices is known.
int gpusWithin(const Resolved& machine, const Scenario& scenario)
{
    const Money& money = scenario.money;
    const Deployment& d = machine.deployment;
    std::optional<int> gpus;
    if (money.budgetPerHour && d.gpu->cloudPrice)
        gpus = gpusPaid(*money.budgetPerHour, d);
    if (const auto& each = machine.scenario.money.purchasePrice; money.purchaseBudget && each)
        gpus = std::min(gpus.value_or(1'000'000), gpusBought(*money.purchaseBudget, d, *each, money));
    const auto within = [&](double most) {
        gpus = static_cast<int>(std::min<double>(gpus.value_or(1'000'000), std::floor(most * (1 + 1e-9))));
    };
    Deployment one = d;
    one.layout = {};
    if (scenario.powerCap && fullPower(one) > Watts())
        within(*scenario.powerCap / fullPower(one));
    if (scenario.mostGpus)
        within(*scenario.mostGpus);
    if (scenario.mostBoxes)
        within(double(*scenario.mostBoxes) * d.node->gpusPerNode);
    return std::max(1, gpus.value_or(1));
}

// Of a layout whose replicas carry nobody.
int replicasWithout(const Layout& layout, const Scenario& scenario)
{
    if (scenario.replicas)
        return *scenario.replicas;
    if (scenario.gpuCount)
        return std::max(1, *scenario.gpuCount / layout.gpusPerReplica());
    return 1 + scenario.spares;
}

// The most that a budget carries, with no load that would say how much is enough.
bool fillsBudget(const Scenario& scenario)
{
    return (scenario.objective == Objective::MostThroughput || scenario.objective == Objective::MostUsers)
        && fullyLoaded(scenario)
        && (scenario.money.budgetPerHour || scenario.money.purchaseBudget || scenario.powerCap
            || scenario.mostGpus || scenario.mostBoxes);
}

int replicasOf(const Resolved& machine, const Layout& layout, const Scenario& scenario,
               const ReplicaCurve& curve, const Capacity& capacity)
{
    return scenario.replicas || scenario.gpuCount || capacity.users <= 0 ? replicasWithout(layout, scenario)
        : fillsBudget(scenario)
        ? std::max(1 + scenario.spares, gpusWithin(machine, scenario) / layout.gpusPerReplica())
        : replicasFor(loadOf(scenario), scenario, curve, capacity);
}

} // namespace

Message missText(const Candidate& c, const Targets& targets)
{
    const OperatingPoint& p = c.point;
    switch (c.missed) {
    case TargetKind::Speed:
        return say("{} tokens/s for each user, {} are asked",
                   asIs(threeDigits(p.tokensPerSecondPerUser.value.base())),
                   asIs(threeDigits(*targets.tokensPerSecond)));
    case TargetKind::Ttft:
        return say("{} of {:.3g} s, {:.3g} s are asked", targetText(c.missed), p.ttft.value.base(),
                   targets.ttft->base());
    case TargetKind::Tpot:
        return say("{} of {:.3g} ms, {:.3g} ms are asked", targetText(c.missed), p.tpot.value.base() * 1e3,
                   targets.tpot->base() * 1e3);
    case TargetKind::Latency:
        return say("{} of {:.3g} s, {:.3g} s are asked", targetText(c.missed), p.latency.value.base(),
                   targets.latency->base());
    case TargetKind::None:
        break;
    }
    return {};
}

void tellServedLoad(OperatingPoint& point, const Scenario& scenario, int replicas)
{
    const ServiceLoad load = loadOf(scenario);
    Prediction& p = point.prediction;
    const double full = p.requestsPerSecond.value.base(); // with as many users in every replica
    double share = double(std::max(1, replicas - scenario.spares)) / replicas;
    if (load.requestsPerSecond > 0)
        share = full > 0 ? load.requestsPerSecond / full : 1;
    else if (load.users > 0)
        share = load.users / (std::max(1.0, point.users) * replicas);
    scaleServed(p, share);
}

int replicasFor(const ServiceLoad& load, const Scenario& scenario, const ReplicaCurve& curve,
                const Capacity& capacity)
{
    constexpr double most = 1e6;
    double needed = 1;
    if (load.users > 0) {
        // Of the whole service, not of each replica: five of six users are less than 10 % free.
        const double usable = std::max(1.0, capacity.users * (1 - scenario.headroom));
        needed = std::max(needed, std::ceil(load.users / usable - 1e-9));
    }
    if (load.requestsPerSecond > 0) {
        const double rate = curve.rateAt(capacity.users) * (1 - scenario.headroom);
        needed = std::max(needed, rate > 0 ? std::ceil(load.requestsPerSecond / rate - 1e-9) : most);
    }
    return static_cast<int>(std::min(needed, most)) + scenario.spares;
}

double usersAtRate(const ReplicaCurve& curve, double rate, double carried)
{
    const double alone = curve.rateAt(1);
    if (alone >= rate)
        return std::max(1e-3, rate / alone);
    constexpr double exact = 0.01; // of the users
    constexpr double beyond = 4;   // times as many as it carries are looked at, to tell what they would feel
    double low = 1;
    double high = std::max(1.0, carried);
    double fast = alone; // rates at both ends
    double full = curve.rateAt(high);
    // Far beyond what it carries a step has no room for prompts: the rate falls again, so that comes last.
    if (full < rate) {
        high *= beyond;
        full = curve.rateAt(high);
    }
    if (full < rate)
        return high;
    // A request takes about a + b × users, so the rate is about users / (a + b × users): where that meets the
    // rate is tried from above and from below by turns; halving bounds how often.
    bool above = true;
    for (bool halve = false; high - low > exact * low; above = !above) {
        const double before = high - low;
        const double b = (high / full - low / fast) / before;
        const double a = low / fast - b * low;
        double tried = (low + high) / 2;
        if (!halve && rate * b < 1)
            tried = std::clamp(rate * a / (1 - rate * b) * (above ? 1 + 0.4 * exact : 1 - 0.4 * exact),
                               low + 0.02 * before, high - 0.02 * before);
        const double found = curve.rateAt(tried);
        (found >= rate ? high : low) = tried;
        (found >= rate ? full : fast) = found;
        halve = !halve && high - low > before / 2;
    }
    return high;
}

namespace {

// More machines, or more power, than there may be.
Message tooMuch(const Candidate& c, const Scenario& scenario)
{
    if (scenario.mostGpus && c.gpus() > *scenario.mostGpus)
        return say("{} GPUs, at most {} are allowed", c.gpus(), *scenario.mostGpus);
    if (scenario.mostBoxes && c.nodes() > *scenario.mostBoxes)
        return say("{} boxes, at most {} are allowed", c.nodes(), *scenario.mostBoxes);
    if (!scenario.powerCap)
        return {};
    const Watts power = fullPower(c.deployment) + (c.prompts ? fullPower(c.prompts->deployment) : Watts());
    if (!(power > Watts()))
        return "its power is not known, so the cap cannot be checked";
    if (power > *scenario.powerCap * (1 + 1e-9))
        return say("{} kW with everything busy, the cap is {} kW", asIs(threeDigits(power.base() / 1e3)),
                   asIs(threeDigits(scenario.powerCap->base() / 1e3)));
    return {};
}

} // namespace

Message objection(const Candidate& c, const Scenario& scenario)
{
    if (Message limit = tooMuch(c, scenario); !limit.empty() && c.point.prediction.memory.fits)
        return limit;
    const ServiceLoad load = loadOf(scenario);
    const Service& service = c.point.prediction.service;
    const double working = c.deployment.layout.replicas - scenario.spares;
    const Money& money = scenario.money;
    const auto& budget = money.budgetPerHour;
    // Requests that come faster than they are served: the cache of an endless queue says nothing.
    const double rate = c.maxRequestsPerSecond / c.deployment.layout.replicas * working;
    const bool overrun
        = load.requestsPerSecond > 0 && c.maxConcurrency > 0 && rate < load.requestsPerSecond * (1 - 1e-9);
    if (!c.point.prediction.memory.fits && !overrun)
        return memoryText(c.point.prediction);
    if (c.point.prediction.memory.fits && c.missed != TargetKind::None)
        return missText(c, scenario.targets);
    if (overrun)
        return say("{} requests/s at most, {} are asked", asIs(threeDigits(rate)),
                   asIs(threeDigits(load.requestsPerSecond)));
    if (const double slots = engineSlots(c.deployment); load.users > slots * working)
        return say("the engine runs {:.0f} requests at once, {:.0f} users are asked", slots * working,
                   load.users);
    if (budget && !service.priceKnown)
        return "its price is not known, so the budget cannot be checked";
    if (budget && perHour(service.price) > *budget * (1 + 1e-9))
        return say("{} an hour, the budget is {}", amountText(perHour(service.price)), amountText(*budget));
    if (!money.purchaseBudget)
        return {};
    const std::optional<Dollars> purchase = purchaseOf(c);
    if (!purchase)
        return "its purchase price is not known, so the budget cannot be checked";
    if (*purchase > *money.purchaseBudget * (1 + 1e-9))
        return say("{} to buy, the budget is {}", amountText(purchase->base()),
                   amountText(money.purchaseBudget->base()));
    return {};
}

Candidate judge(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                const Scenario& scenario, bool sure, Depth depth)
{
    Candidate c;
    c.machine = machine;
    c.deployment = machine->deployment;
    c.deployment.layout = layout;
    c.load = machine->load;
    c.deviations = machine->deviations + (pipesInsideBox(*machine, layout) ? 1 : 0);
    if (scenario.batch)
        c.load.batch = *scenario.batch;
    const bool whole = depth == Depth::Whole;
    const MemoryPlanner memory(c.deployment);
    if (MemoryPlan one = memory.plan(memoryDemand(c.deployment, machine->load)); !one.fits) {
        // What does not hold one sequence has no speed that matters; it is worked out when it is shown.
        c.deployment.layout.replicas = replicasWithout(layout, scenario);
        c.point.prediction.memory = one;
        if (whole)
            complete(c, scenario);
        c.reason = memoryText(c.point.prediction);
        return c;
    }
    const ReplicaCurve curve(c.deployment, machine->load, memory);
    const bool most
        = whole || loadOf(scenario).requestsPerSecond > 0 || scenario.objective == Objective::MostUsers;
    // What users feel in so many replicas does not ask how many more they would carry.
    const bool stated = scenario.replicas && (scenario.batch || loadOf(scenario).users > 0);
    const Capacity capacity = most || !stated
        ? curve.capacity(scenario.targets, sure, whole ? 1e18 : enoughUsers(scenario))
        : Capacity();
    c.deployment.layout.replicas = replicasOf(*machine, layout, scenario, curve, capacity);
    if (most)
        fillMaximum(c, curve, capacity);
    c.point = curve.at(usersOfOne(c, curve, scenario, capacity), c.deployment.layout.replicas);
    if (!scenario.batch)
        tellServedLoad(c.point, scenario, c.deployment.layout.replicas);
    c.load.batch = std::max(1.0, c.point.users);
    c.missed = missedTarget(c.point, scenario.targets, sure);
    c.missedBy = worstExcess(c.point, scenario.targets, sure);
    c.confidence = c.point.prediction.memory.fits ? confidenceOf(c.point, scenario.targets) : 0;
    c.reason = objection(c, scenario);
    c.meets = c.reason.empty();
    return c;
}

bool mayCarryWith(int gpus, const Resolved& machine, const Layout& layout, const Scenario& scenario,
                  bool sure)
{
    const double working = gpus / layout.gpusPerReplica() - scenario.spares;
    const ServiceLoad load = loadOf(scenario);
    if (working < 1)
        return false;
    if (!load.stated() || scenario.batch || !scenario.targets.any()
        || (load.requestsPerSecond <= 0 && load.users <= working))
        return true;
    Deployment one = machine.deployment;
    one.layout = layout;
    const ReplicaCurve curve(one, machine.load);
    const double most = curve.capacity(Targets{}).users;
    const auto stands = [&](double users) {
        return users <= most
            && missedTarget(curve.timesAt(users), scenario.targets, sure) == TargetKind::None;
    };
    const double share = 1 / (1 - scenario.headroom) / working; // of the load, in each
    if (load.requestsPerSecond <= 0)
        return stands(std::ceil(load.users * share - 1e-9));
    // As many as that rate keeps there at least: answers take as long as with fewer, or longer.
    double users = 1;
    for (int step = 0; step < 3 && most >= 1; ++step) {
        users = std::max(users, load.requestsPerSecond * share * curve.timesAt(users).latency.value.base());
        if (users > 1 && !stands(users))
            return false;
    }
    return most >= 1;
}

Candidate judgeWith(const Candidate& like, int replicas, Scenario scenario, Depth depth)
{
    scenario.replicas = replicas;
    Layout layout = like.deployment.layout;
    layout.replicas = 1;
    Candidate c = judge(like.machine, layout, scenario, false, depth);
    c.deployment.layout.replicas = replicas;
    return c;
}

void complete(Candidate& candidate, const Scenario& scenario)
{
    const bool onlyMemory = candidate.point.prediction.service.gpus == 0;
    if (candidate.maximumKnown && !onlyMemory)
        return;
    const ReplicaCurve curve(candidate.deployment, candidate.machine->load);
    if (onlyMemory)
        candidate.point = curve.at(candidate.load.batch, candidate.deployment.layout.replicas);
    if (!candidate.maximumKnown)
        fillMaximum(candidate, curve, curve.capacity(scenario.targets));
}

} // namespace headroom
