#include "model/search/judge.h"

#include "model/closed_form/offered_rate.h"
#include "model/count/weights.h"
#include "model/deploy/paid.h"
#include "model/resolve/money.h"
#include "model/resolve/part_of_box.h"
#include "model/scenario/service_load.h"
#include "model/scenario/stated_load.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom {

namespace {

double workingOf(const Candidate& c, const Scenario& scenario)
{
    return std::max(1, c.deployment.layout.replicas - scenario.spares);
}

double usersOfOne(const Candidate& c, const ReplicaCurve& curve, const Scenario& scenario,
                  const Capacity& capacity)
{
    const ServiceLoad load = loadOf(scenario);
    const double working = workingOf(c, scenario);
    if (scenario.batch)
        return *scenario.batch;
    if (load.users > 0)
        return std::ceil(load.users / working);
    if (worksOffJob(scenario))
        return std::max(1.0, capacity.users);
    if (load.requestsPerSecond > 0)
        return usersAtRate(curve, load.requestsPerSecond / working, capacity.users);
    return fullyLoaded(scenario) ? std::max(1.0, capacity.users) : 1;
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
        return replicasThere(*scenario.gpuCount, layout, scenario);
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

// Tokens cost least, and a job is done soonest, where no GPU that is paid stands idle.
bool usesAllPaid(const Scenario& scenario)
{
    return worksOffJob(scenario)
        || (fullyLoaded(scenario) && scenario.objective == Objective::CheapestTokens);
}

// Of GPUs that are sold in boxes or in lots, as many replicas as the paid ones hold.
int replicasOnPaid(const Resolved& machine, Layout layout, int replicas)
{
    layout.replicas = replicas;
    Deployment d = machine.deployment;
    d.layout = layout;
    return std::max(replicas, paidGpus(d, layout.gpus(), nodesOf(d)) / layout.gpusPerReplica());
}

int replicasOf(const Resolved& machine, const Layout& layout, const Scenario& scenario,
               const ReplicaCurve& curve, const Capacity& capacity)
{
    if (scenario.replicas || scenario.gpuCount || capacity.users <= 0)
        return replicasWithout(layout, scenario);
    if (fillsBudget(scenario))
        return std::max(1 + scenario.spares, gpusWithin(machine, scenario) / layout.gpusPerReplica());
    const int enough = replicasFor(loadOf(scenario), scenario, curve, capacity);
    return usesAllPaid(scenario) ? replicasOnPaid(machine, layout, enough) : enough;
}

} // namespace

void tellServedLoad(OperatingPoint& point, const Scenario& scenario, int replicas)
{
    const ServiceLoad load = loadOf(scenario);
    Prediction& p = point.prediction;
    double share = double(std::max(1, replicas - scenario.spares)) / replicas;
    if (load.requestsPerSecond > 0 && !worksOffJob(scenario)) {
        if (serveOffered(p, RequestsPerSecond(load.requestsPerSecond), point))
            return;
    } else if (load.users > 0)
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

std::optional<KeepsUp> keepsUpOf(const ReplicaCurve& curve, const Scenario& scenario, double users,
                                 double working)
{
    const double rate = loadOf(scenario).requestsPerSecond;
    return rate > 0 && !scenario.batch
        ? std::optional(curve.keepsUpWith(rate / working, users, scenario.targets))
        : std::nullopt;
}

double timesTooFast(const UserTimes& point, const Scenario& scenario, double working)
{
    const double rate = loadOf(scenario).requestsPerSecond;
    const double served = point.requestsPerSecond() * working;
    const bool stated = scenario.gpuCount || scenario.replicas;
    return rate > 0 && served > 0 && stated && !scenario.batch ? rate / served : 0;
}

namespace {

Deployment laidOutOnce(const Resolved& machine, Layout layout)
{
    layout.replicas = 1;
    Deployment d = machine.deployment;
    d.layout = layout;
    return d;
}

// What is worked out before anything is said of a number of replicas.
Candidate unjudged(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                   const Scenario& scenario)
{
    Candidate c;
    c.machine = machine;
    c.deployment = laidOutOnce(*machine, layout);
    c.load = machine->load;
    c.deviations = machine->deviations + (pipesInsideBox(*machine, layout) ? 1 : 0);
    if (scenario.batch)
        c.load.batch = *scenario.batch;
    return c;
}

bool asksMost(const Scenario& scenario, Depth depth)
{
    return depth == Depth::Whole || loadOf(scenario).requestsPerSecond > 0
        || scenario.objective == Objective::MostUsers;
}

// What users feel in so many replicas does not ask how many more they would carry.
Capacity capacityAsked(const ReplicaCurve& curve, const Scenario& scenario, bool sure, Depth depth)
{
    const bool stated = scenario.replicas && (scenario.batch || loadOf(scenario).users > 0);
    return asksMost(scenario, depth) || !stated
        ? curve.capacity(scenario.targets, sure, depth == Depth::Whole ? 1e18 : enoughUsers(scenario))
        : Capacity();
}

void judgeBy(const ReplicaCurve& curve, Candidate& c, const Scenario& scenario, bool sure, Depth depth)
{
    const Capacity capacity = capacityAsked(curve, scenario, sure, depth);
    Layout& layout = c.deployment.layout;
    layout.replicas = replicasOf(*c.machine, layout, scenario, curve, capacity);
    if (asksMost(scenario, depth))
        fillMaximum(c, curve, capacity);
    c.point = curve.at(usersOfOne(c, curve, scenario, capacity), layout.replicas);
    c.point.keepsUp = keepsUpOf(curve, scenario, c.point.users, workingOf(c, scenario));
    if (!scenario.batch)
        tellServedLoad(c.point, scenario, layout.replicas);
    c.load.batch = std::max(1.0, c.point.users);
    c.missed = missedTarget(c.point, scenario.targets, sure);
    c.missedBy = std::max(worstExcess(c.point, scenario.targets, sure),
                          timesTooFast(c.point, scenario, workingOf(c, scenario)));
    c.confidence = c.point.prediction.memory.fits ? confidenceOf(c.point, scenario.targets) : 0;
    c.reason = objection(c, scenario);
    c.meets = c.reason.empty();
}

} // namespace

Candidate judge(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                const Scenario& scenario, bool sure, Depth depth)
{
    Candidate c = unjudged(machine, layout, scenario);
    const MemoryPlanner memory(c.deployment);
    if (MemoryPlan one = memory.plan(memoryDemand(c.deployment, machine->load)); !one.fits) {
        // What does not hold one sequence has no speed that matters; it is worked out when it is shown.
        c.deployment.layout.replicas = replicasWithout(layout, scenario);
        c.point.prediction.memory = one;
        if (depth == Depth::Whole)
            complete(c, scenario);
        c.reason = memoryText(c.point.prediction);
        return c;
    }
    judgeBy(ReplicaCurve(c.deployment, machine->load, memory), c, scenario, sure, depth);
    c.curve = std::make_shared<KeptCurve>();
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
    const Layout& layout = like.deployment.layout;
    Candidate c = like.curve ? unjudged(like.machine, layout, scenario)
                             : judge(like.machine, layout, scenario, false, depth);
    if ((c.curve = like.curve))
        c.curve->with(c.deployment, like.machine->load,
                      [&](const ReplicaCurve& curve) { judgeBy(curve, c, scenario, false, depth); });
    c.deployment.layout.replicas = replicas;
    return c;
}

bool holdsWith(const Candidate& like, int replicas, Scenario scenario, double sure)
{
    if (!like.curve) {
        const Candidate c = judgeWith(like, replicas, std::move(scenario));
        return c.missed == TargetKind::None && c.confidence >= sure;
    }
    scenario.replicas = replicas;
    Candidate c = unjudged(like.machine, like.deployment.layout, scenario);
    return like.curve->with(c.deployment, like.machine->load, [&](const ReplicaCurve& curve) {
        c.deployment.layout.replicas = replicas;
        const Capacity capacity = capacityAsked(curve, scenario, false, Depth::Verdict);
        const double users = usersOfOne(c, curve, scenario, capacity);
        UserTimes times = curve.timesAt(users);
        if (missedTarget(times, scenario.targets) != TargetKind::None)
            return false;
        if (sure <= 0)
            return true;
        times.keepsUp = keepsUpOf(curve, scenario, users, workingOf(c, scenario));
        return curve.memoryAt(std::max(1.0, users)).fits && confidenceOf(times, scenario.targets) >= sure;
    });
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
