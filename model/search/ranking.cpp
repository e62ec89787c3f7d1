#include "model/search/ranking.h"

#include "model/deploy/paid.h"
#include "model/resolve/money.h"
#include "model/search/safe_confidence.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <string_view>
#include <tuple>
#include <utility>

namespace headroom {

namespace {

constexpr double unknown = 1e300; // of a price: sorts behind every known one

double price(const Candidate& c)
{
    const auto decodes = hourAtFullPower(c.deployment);
    if (!decodes || !c.prompts)
        return decodes.value_or(unknown);
    const auto prompts = hourAtFullPower(c.prompts->deployment);
    return prompts ? *decodes + *prompts : unknown;
}

double purchase(const Candidate& c)
{
    const std::optional<Dollars> all = purchaseOf(c);
    return all ? all->base() : unknown;
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

// GPUs that are paid: whole boxes where nobody sells less.
int paidGpus(const Deployment& d) { return paidGpus(d, d.layout.gpus(), nodesOf(d)); }
int paidGpus(const Candidate& c)
{
    return paidGpus(c.deployment) + (c.prompts ? paidGpus(c.prompts->deployment) : 0);
}

// A replica of three, five or seven GPUs, or of a box and a half: nobody builds one who may have an even one
// for the same.
bool uneven(const Deployment& d)
{
    const auto group = static_cast<unsigned>(d.layout.gpusPerReplica());
    const auto box = static_cast<unsigned>(std::max(1, d.node->gpusPerNode));
    return group < box ? !std::has_single_bit(group) : group % box != 0;
}
int uneven(const Candidate& c)
{
    return int(uneven(c.deployment)) + int(c.prompts && uneven(c.prompts->deployment));
}

// The objective's own figure, smaller is better.
double key(const Candidate& c, Objective objective)
{
    switch (objective) {
    case Objective::FewestGpus:
        return paidGpus(c);
    case Objective::CheapestHour:
        return price(c);
    case Objective::CheapestTokens:
        return pricePerToken(c);
    case Objective::LeastEnergy:
        return energy(c);
    case Objective::MostThroughput:
        // GPUs that were given and stand idle are paid for as well; what a budget leaves is not.
        if (const Money& money = c.machine->scenario.money; money.budgetPerHour || money.purchaseBudget)
            return -c.point.prediction.service.outputTokensPerSecond.value.base();
        return -c.point.prediction.service.outputTokensPerSecond.value.base()
            / c.machine->scenario.gpuCount.value_or(c.gpus());
    case Objective::MostUsers:
        return -c.maxConcurrency;
    case Objective::FastestStream:
        return -speed(c);
    }
    return 0;
}

// What it costs, by the objective first.
auto billOf(const Candidate& c, Objective objective)
{
    return std::tuple(key(c, objective), static_cast<double>(paidGpus(c)), price(c));
}
// How it looks, for the same bill.
auto shapeOf(const Candidate& c) { return std::tuple(uneven(c), c.gpus()); }

} // namespace

bool cheaper(const Candidate& a, const Candidate& b, Objective objective)
{
    return billOf(a, objective) < billOf(b, objective);
}

bool better(const Candidate& a, const Candidate& b, Objective objective)
{
    if (a.meets != b.meets)
        return a.meets;
    if (!a.meets) { // the nearest miss
        // What holds all users before what holds some of them, and that before what does not hold the model.
        // Some: the most within the targets first. All: by how much the target is missed, in steps of a
        // twentieth: a little closer is not worth many GPUs.
        const auto miss = [](const Candidate& c) {
            const MemoryPlan& memory = c.point.prediction.memory;
            const int holds = memory.fits ? 0 : c.maxConcurrency >= 1 ? 1 : 2; // all, some, not one sequence
            const double over = memory.fits ? 0
                : holds == 1                ? -c.maxConcurrency
                                            : memory.perGpu.used / memory.perGpu.usable;
            const double by = memory.fits ? std::round(std::log(std::max(1.0, c.missedBy)) * 20) : 0;
            // Where a budget was stated what misses nothing but that is nearest, the cheapest first, and a
            // price that nobody knows the farthest.
            const Money& money = c.machine->scenario.money;
            const bool budget = money.budgetPerHour || money.purchaseBudget;
            const int slow
                = budget && memory.fits && (c.missed != TargetKind::None || c.missedBy > 1) ? 1 : 0;
            const double cost = money.purchaseBudget ? purchase(c) : budget ? price(c) : 0;
            // GPUs whose number was stated are all paid.
            const std::optional<int>& stated = c.machine->scenario.gpuCount;
            const int idle = budget && stated && c.gpus() < *stated ? 1 : 0;
            return std::tuple(holds, over, slow, by, idle, cost, static_cast<double>(c.gpus()),
                              memory.fits ? -speed(c) : 0, memory.fits ? price(c) : 0);
        };
        return miss(a) < miss(b);
    }
    const auto rank = [&](const Candidate& c) {
        // Equal GPUs of different kinds: the cheaper; equal price: what is no gamble, then the surer, then
        // the faster, by tokens and then by the first of them. What was stated or published stands before
        // what was merely allowed.
        const bool gamble = c.confidence < leastConfidence;
        return std::tuple(billOf(c, objective), gamble, shapeOf(c), c.deviations,
                          -std::round(c.confidence * 100), -speed(c), c.deployment.layout.pp,
                          c.point.ttft.value.base(), std::string_view(c.deployment.gpu->id));
    };
    return rank(a) < rank(b);
}

// Candidates are large, and there may be ten thousands: their places are sorted, and each is moved to its
// own.
std::vector<Candidate> bestFirst(std::vector<Candidate> candidates, Objective objective)
{
    std::vector<std::size_t> order(candidates.size()); // who comes to each place
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return better(candidates[a], candidates[b], objective);
    });
    for (std::size_t first = 0; first < order.size(); ++first) {
        if (order[first] == first)
            continue;
        Candidate held = std::move(candidates[first]);
        std::size_t place = first;
        while (order[place] != first) { // each place is left to who comes to it, until the first is due
            candidates[place] = std::move(candidates[order[place]]);
            place = std::exchange(order[place], place);
        }
        candidates[place] = std::move(held);
        order[place] = place;
    }
    return candidates;
}

} // namespace headroom
