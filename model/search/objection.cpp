// Why a service will not do.
#include "model/base/apart.h"
#include "model/resolve/money.h"
#include "model/resolve/part_of_box.h"
#include "model/scenario/service_load.h"
#include "model/search/judge.h"

namespace headroom {

namespace {

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

// More machines, or more power, than there may be.
Message tooMuch(const Candidate& c, const Scenario& scenario)
{
    if (scenario.mostGpus && c.gpus() > *scenario.mostGpus)
        return say("{} GPUs, at most {} are allowed", c.gpus(), *scenario.mostGpus);
    if (scenario.mostBoxes && c.nodes() > *scenario.mostBoxes)
        return say("{} boxes, at most {} are allowed", c.nodes(), *scenario.mostBoxes);
    const bool alike = !c.prompts || c.prompts->deployment.gpu->id == c.deployment.gpu->id;
    if (const auto there = boxesThere(scenario); alike && there && c.nodes() > *there)
        return say("needs {} boxes of {}, {} are given", c.nodes(), c.deployment.node->gpusPerNode, *there);
    if (!scenario.powerCap)
        return {};
    const Watts power = fullPower(c.deployment) + (c.prompts ? fullPower(c.prompts->deployment) : Watts());
    if (!(power > Watts()))
        return "its power is not known, so the cap cannot be checked";
    if (power > *scenario.powerCap * (1 + 1e-9)) {
        const auto [drawn, cap] = apart(power.base() / 1e3, scenario.powerCap->base() / 1e3);
        return say("{} kW with everything busy, the cap is {} kW", drawn, cap);
    }
    return {};
}

Message secondsText(TargetKind kind, Seconds time, Seconds target)
{
    const auto [taken, asked] = apart(time.base(), target.base());
    return say("{} of {} s, {} s are asked for", targetText(kind), taken, asked);
}

Message overspent(double dollars, double budget, bool toBuy)
{
    const auto [cost, most] = amountsApart(dollars, budget);
    return toBuy ? say("{} to buy, the budget is {}", cost, most)
                 : say("{} an hour, the budget is {}", cost, most);
}

} // namespace

// GB short on the fullest GPU for one sequence.
Message memoryText(const Prediction& p)
{
    const auto [used, usable] = apart(p.memory.perGpu.used.base() / 1e9, p.memory.perGpu.usable.base() / 1e9);
    return say("memory: {} GB on each GPU, {} GB can be used", used, usable);
}

Message missText(const Candidate& c, const Targets& targets)
{
    const OperatingPoint& p = c.point;
    switch (c.missed) {
    case TargetKind::Speed: {
        const auto [speed, asked] = apart(p.tokensPerSecondPerUser.value.base(), *targets.tokensPerSecond);
        return say("{} tokens/s for each user, {} are asked for", speed, asked);
    }
    case TargetKind::Ttft:
        return secondsText(c.missed, p.ttft.value, *targets.ttft);
    case TargetKind::Tpot: {
        const auto [time, asked] = apart(p.tpot.value.base() * 1e3, targets.tpot->base() * 1e3);
        return say("{} of {} ms, {} ms are asked for", targetText(c.missed), time, asked);
    }
    case TargetKind::Latency:
        return secondsText(c.missed, p.latency.value, *targets.latency);
    case TargetKind::None:
        break;
    }
    return {};
}

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
    if (overrun) {
        const auto [most, asked] = apart(rate, load.requestsPerSecond);
        return say("{} requests/s at most, {} are asked for", most, asked);
    }
    if (const double slots = engineSlots(c.deployment); load.users > slots * working)
        return say("the engine runs {:.0f} requests at once, {:.0f} users are asked for", slots * working,
                   load.users);
    if (budget && !service.priceKnown)
        return "its price is not known, so the budget cannot be checked";
    if (budget && perHour(service.price) > *budget * (1 + 1e-9))
        return overspent(perHour(service.price), *budget, false);
    if (!money.purchaseBudget)
        return {};
    const std::optional<Dollars> purchase = purchaseOf(c);
    if (!purchase)
        return "its purchase price is not known, so the budget cannot be checked";
    if (*purchase > *money.purchaseBudget * (1 + 1e-9))
        return overspent(purchase->base(), money.purchaseBudget->base(), true);
    return {};
}

} // namespace headroom
