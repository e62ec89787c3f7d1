#include "model/resolve/known_prices.h"

#include "model/base/currency.h"
#include "model/base/quantity_text.h"
#include "model/resolve/money.h"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

namespace headroom {

void priceIn(Resolved& out)
{
    if (const std::string currency = currencyAssumption(); !currency.empty())
        out.assumptions.push_back(currency);
    const Money& money = out.scenario.money;
    Deployment& d = out.deployment;
    if (!(d.gpu->tdp > Watts()))
        out.warnings.emplace_back(
            RemarkKind::Power,
            fmt::format("no power is known for {}: power and electricity are left out", d.gpu->name));
    const std::optional<Dollars> purchase = money.purchasePrice ? money.purchasePrice
        : buys(money)                                           ? d.gpu->purchasePrice
                                                                : std::nullopt;
    if (!money.gpuPrice && !purchase && buys(money)) {
        out.warnings.emplace_back(
            RemarkKind::Price,
            fmt::format("no purchase price is known for {}: give --purchase", d.gpu->name));
        auto unpriced = std::make_shared<Gpu>(*d.gpu);
        unpriced->cloudPrice.reset(); // rent is not what was asked for
        d.gpu = unpriced.get();
        out.ownGpu = std::move(unpriced);
        return;
    }
    if (!money.gpuPrice && !purchase) {
        if (!d.gpu->cloudPrice && d.gpu->purchasePrice)
            out.warnings.emplace_back(
                RemarkKind::Price,
                fmt::format(
                    "no rent is known for {}: give --price, or --buy=yes for its purchase price of {}",
                    d.gpu->name, amountText(d.gpu->purchasePrice->base())));
        else if (!d.gpu->cloudPrice)
            out.warnings.emplace_back(RemarkKind::Price,
                                      fmt::format("no price is known for {}: give --price", d.gpu->name));
        else
            out.assumptions.push_back(fmt::format("one {} costs {} an hour on demand", d.gpu->name,
                                                  amountText(perHour(*d.gpu->cloudPrice))));
        return;
    }
    auto own = std::make_shared<Gpu>(*d.gpu);
    if (money.gpuPrice) {
        own->cloudPrice = money.gpuPrice;
    } else {
        // What it draws depends on its load: electricity comes on top where that is known.
        own->cloudPrice = dollarsPerHour(ownedHour(*purchase, Watts(), money).writeOff);
        d.ownPowerPrice = ownPowerPrice(money);
        out.assumptions.push_back(fmt::format("a GPU bought for {} and written off over {} years costs {} an "
                                              "hour; electricity, the power shown "
                                              "times a PUE of {}, is {} a kWh",
                                              amountText(purchase->base()),
                                              numberText(money.amortisationYears),
                                              amountText(perHour(*own->cloudPrice)), numberText(money.pue),
                                              amountText(money.electricityPerKwh)));
    }
    d.gpu = own.get();
    out.ownGpu = std::move(own);
}

} // namespace headroom
