#include "model/resolve/known_prices.h"

#include "model/base/currency.h"
#include "model/base/quantity_text.h"
#include "model/resolve/money.h"
#include "model/resolve/offers.h"

#include <fmt/format.h>
#include <memory>
#include <optional>
#include <utility>

namespace headroom {

namespace {

void warnOfPrice(Resolved& out, std::string text)
{
    out.warnings.emplace_back(RemarkKind::Price, std::move(text));
}

// "Verda, 2026-08".
std::string offeredBy(const Gpu& gpu, const Money& money)
{
    if (const RentOffer* const offer = askedOffer(gpu, money))
        return fmt::format("{}, {}", offer->provider, offer->asOf);
    for (const RentOffer& offer : gpu.offers)
        if (offer.kind == PriceKind::OnDemand && gpu.cloudPrice && offer.price == *gpu.cloudPrice)
            return fmt::format("{}, {}", offer.provider, offer.asOf);
    return {};
}

void tellUnit(Resolved& out, const Gpu& listed)
{
    const int unit = out.deployment.terms.unit;
    if (listed.soldAs() != SoldAs::Box || out.deployment.node->gpusPerNode <= 1
        || out.scenario.money.gpuPrice)
        return;
    if (const std::string who = rentsSmallest(listed);
        unit == 1 && !who.empty() && !asksOffer(out.scenario.money))
        out.assumptions.push_back(fmt::format("{} is sold in boxes of {}; {} rents single ones", listed.name,
                                              out.deployment.node->gpusPerNode, who));
    else if (unit > 1)
        out.assumptions.push_back(
            fmt::format("{} is rented in whole instances of {}: all of them are paid", listed.name, unit));
}

void rentIn(Resolved& out)
{
    const Money& money = out.scenario.money;
    Deployment& d = out.deployment;
    const Gpu& listed = *d.gpu;
    d.terms = {.unit = rentedUnit(listed, *d.node, money), .perBox = {}, .perLinked = {}};
    const std::optional<DollarsPerSecond> price = rentPrice(listed, money);
    if (!price && asksOffer(money)) {
        const std::string known = providersOf(listed);
        warnOfPrice(out,
                    fmt::format("nobody is known to rent {} so ({}{}{}): {}", listed.name, money.provider,
                                money.provider.empty() || !money.priceKind ? "" : ", ",
                                money.priceKind ? name(*money.priceKind) : "",
                                known.empty() ? "give --price" : "known are " + known));
    } else if (!price) {
        warnOfPrice(
            out,
            listed.purchasePrice ? fmt::format(
                "no rent is known for {}: give --price, or --buy=yes for its purchase price of {}",
                listed.name, amountText(listed.purchasePrice->base()))
                                 : fmt::format("no price is known for {}: give --price", listed.name));
    } else if (!money.gpuPrice) {
        const std::string who = offeredBy(listed, money);
        out.assumptions.push_back(fmt::format("one {} costs {} an hour {}{}", listed.name,
                                              amountText(perHour(*price)),
                                              money.priceKind == PriceKind::Reserved   ? "reserved"
                                                  : money.priceKind == PriceKind::Spot ? "as a spot instance"
                                                                                       : "on demand",
                                              who.empty() ? "" : fmt::format(" ({})", who)));
    }
    tellUnit(out, listed);
    if (price == listed.cloudPrice)
        return;
    auto own = std::make_shared<Gpu>(listed);
    own->cloudPrice = price;
    d.gpu = own.get();
    out.ownGpu = std::move(own);
}

void tellServer(Resolved& out, const Bill& one, const Gpu& gpu)
{
    const Node& box = *out.deployment.node;
    if (!one.serversKnown)
        return warnOfPrice(
            out, fmt::format("no price is known for {} without its accelerators: give --server", box.name));
    if (gpu.soldAs() != SoldAs::Device && one.servers > Dollars())
        out.assumptions.push_back(fmt::format(
            "the rest of a {} costs {}{}", box.name, amountText(one.servers.base()),
            out.scenario.money.serverPrice || box.priceAsOf.empty() ? ""
                                                                    : fmt::format(" ({})", box.priceAsOf)));
}

void buyIn(Resolved& out, Dollars purchase)
{
    const Money& money = out.scenario.money;
    Deployment& d = out.deployment;
    auto own = std::make_shared<Gpu>(*d.gpu);
    // What it draws depends on its load: electricity comes on top where that is known.
    const auto hour
        = [&](Dollars price) { return dollarsPerHour(ownedHour(price, Watts(), money).writeOff); };
    Deployment one = d;
    one.layout = {};
    const double room = fullPower(one).base() / 1000 * money.hostingPerKwMonth / hoursPerMonth;
    own->cloudPrice = hour(purchase) + dollarsPerHour(room);
    d.ownPowerPrice = ownPowerPrice(money);
    const Bill bill = purchaseBill(one, purchase, money);
    d.terms = {.unit = own->soldAs() == SoldAs::Box ? d.node->gpusPerNode : 1,
               .perBox = hour(bill.servers),
               .perLinked = hour(d.node->networkPrice.value_or(Dollars()))};
    out.assumptions.push_back(fmt::format("a GPU bought for {} and written off over {} years costs {} an "
                                          "hour; electricity, the power shown "
                                          "times a PUE of {}, is {} a kWh",
                                          amountText(purchase.base()), numberText(yearsOf(money)),
                                          amountText(perHour(*own->cloudPrice)), numberText(money.pue),
                                          amountText(money.electricityPerKwh)));
    tellServer(out, bill, *own);
    d.gpu = own.get();
    out.ownGpu = std::move(own);
}

} // namespace

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
    if (money.gpuPrice || (!purchase && !buys(money)))
        return rentIn(out);
    if (purchase)
        return buyIn(out, *purchase);
    warnOfPrice(out, fmt::format("no purchase price is known for {}: give --purchase", d.gpu->name));
    auto unpriced = std::make_shared<Gpu>(*d.gpu);
    unpriced->cloudPrice.reset(); // rent is not what was asked for
    d.gpu = unpriced.get();
    out.ownGpu = std::move(unpriced);
}

} // namespace headroom
