// What the gauges beside an answer read.
#include "app/desktop/text/model_text.h"
#include "app/desktop/text/plan_view_text.h"
#include "app/desktop/text/quantities.h"
#include "app/desktop/text/translated.h"
#include "model/advise/plan_view.h"
#include "model/resolve/money.h"

#include <algorithm>
#include <cmath>

namespace headroom::app {

GaugeReading memoryGauge(const PlanView& planView)
{
    const GpuMemory& memory = planView.prediction.memory.perGpu;
    return {.title = tr("Memory of one GPU"),
            .text = text(memory.used),
            .range = tr("of %1 that %2 may fill")
                         .arg(text(memory.usable),
                              QString::fromStdString(planView.resolved.deployment.engine->name)),
            .limitText = tr("card %1").arg(text(memory.capacity)),
            .value = memory.used.base(),
            .low = memory.used.base(),
            .high = memory.used.base(),
            .limit = memory.usable.base(),
            .end = std::max(memory.capacity.base(), memory.used.base())};
}

GaugeReading speedGauge(const PlanView& planView)
{
    const Estimate<TokensPerSecond>& speed = planView.answer().point.tokensPerSecondPerUser;
    const double target = planView.asked.targets.tokensPerSecond.value_or(0);
    return {.title = tr("Speed for each user"),
            .text = text(speed.value),
            .range = planView.prediction.memory.fits ? rangeText(speed) : tr("if it fitted"),
            .limitText
            = target > 0 ? tr("target %1").arg(text(TokensPerSecond(target), Zeros::Dropped)) : QString(),
            .value = speed.value.base(),
            .low = speed.low.base(),
            .high = speed.high.base(),
            .limit = target,
            .end = std::max(speed.high.base(), target) * 1.15,
            .limitIsFloor = true};
}

GaugeReading firstTokenGauge(const PlanView& planView)
{
    const Estimate<Seconds>& ttft = planView.answer().point.ttft;
    const double target = planView.asked.targets.ttft.value_or(Seconds()).base();
    return {.title = tr("First token at this load"),
            .text = text(ttft.value),
            .range = planView.prediction.memory.fits ? rangeText(ttft) : tr("if it fitted"),
            .limitText = target > 0 ? tr("target %1").arg(text(Seconds(target), Zeros::Dropped)) : QString(),
            .value = ttft.value.base(),
            .low = ttft.low.base(),
            .high = ttft.high.base(),
            .limit = target,
            .end = std::max(ttft.high.base(), target) * 1.15};
}

GaugeReading costGauge(const PlanView& planView)
{
    const Service& service = planView.prediction.service;
    const double budget = planView.asked.money.budgetPerHour.value_or(0);
    const double hourly = perHour(service.price);
    if (!service.priceKnown)
        return {.title = tr("Cost"),
                .text = tr("no price known"),
                .range = tr("type one under Money"),
                .limitText = {},
                .end = 0};
    const Estimate<Dollars>& million = service.dollarsPerMillionOutputTokens;
    const std::optional<RentOrOwn>& choice = planView.sizing->rentOrOwn;
    const Money& money = planView.asked.money;
    const bool rents = money.gpuPrice || (!buys(money) && !money.purchasePrice);
    const QString owned = !choice || !rents ? QString()
        : !choice->owningPays()
        ? tr("GPUs owned: %1").arg(perHourText(dollarsPerHour(choice->own)))
        : tr("GPUs owned: %1, pays after %2 months")
              .arg(perHourText(dollarsPerHour(choice->own)), wholeText(std::round(choice->monthsToPay())));
    return {.title = tr("Cost"),
            .text = perHourText(service.price),
            .range = planView.prediction.memory.fits
                ? tr("%1 per million output tokens").arg(text(million.value))
                : QString(),
            .limitText = budget > 0 ? tr("budget %1").arg(perHourText(dollarsPerHour(budget))) : owned,
            .value = hourly,
            .low = hourly,
            .high = hourly,
            .limit = budget,
            .end = budget > 0 ? std::max(hourly, budget) * 1.3 : 0};
}

} // namespace headroom::app
