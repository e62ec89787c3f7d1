// Why a service will not do.
#include "model/base/currency.h"
#include "model/base/three_digits.h"
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
    if (power > *scenario.powerCap * (1 + 1e-9))
        return say("{} kW with everything busy, the cap is {} kW", asIs(threeDigits(power.base() / 1e3)),
                   asIs(threeDigits(scenario.powerCap->base() / 1e3)));
    return {};
}

} // namespace

// GB short on the fullest GPU for one sequence.
Message memoryText(const Prediction& p)
{
    return say("memory: {:.1f} GB on each GPU, {:.1f} GB can be used", p.memory.perGpu.used.base() / 1e9,
               p.memory.perGpu.usable.base() / 1e9);
}

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

} // namespace headroom
