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

void warnOfPrice(Resolved& out, Message text)
{
    out.warnings.emplace_back(RemarkKind::Price, std::move(text));
}

// "Verda, 2026-08".
Message offeredBy(const Gpu& gpu, const Money& money)
{
    const RentOffer* const offer = offerTaken(gpu, money);
    return offer != nullptr ? joinedNames({offer->provider, offer->asOf}, ", ") : Message();
}

// "one NVIDIA H100 costs $2.46 an hour on demand (Verda, 2026-08)".
Message rentText(const Gpu& gpu, const Money& money, DollarsPerSecond price)
{
    const std::string amount = amountText(perHour(price));
    Message out = money.priceKind == PriceKind::Reserved
        ? say("one {} costs {} an hour reserved", gpu.name, amount)
        : money.priceKind == PriceKind::Spot
        ? say("one {} costs {} an hour as a spot instance", gpu.name, amount)
        : say("one {} costs {} an hour on demand", gpu.name, amount);
    if (const Message who = offeredBy(gpu, money); !who.empty())
        return say("{} ({})", out, who);
    return say("{} (usual price, not one provider's: `headroom show {}` tells its source)", out, gpu.id);
}

void tellUnit(Resolved& out, const Gpu& listed)
{
    const int unit = out.deployment.terms.unit;
    const int whole = out.wholeBox > 0 ? out.wholeBox : out.deployment.node->gpusPerNode;
    if (listed.soldAs() != SoldAs::Box || whole <= 1 || out.scenario.money.gpuPrice)
        return;
    if (const RentOffer* const offer = offerTaken(listed, out.scenario.money);
        unit == 1 && offer != nullptr && !asksOffer(out.scenario.money))
        out.assumptions.push_back(say("{} is sold in boxes of {}; {} rents single ones at {} an hour",
                                      listed.name, whole, offer->provider,
                                      amountText(perHour(offer->price))));
    else if (unit > 1 && unit < whole)
        out.assumptions.push_back(
            say("{} is rented in whole instances of {}: a box of {} is priced as its share of one",
                listed.name, whole, unit));
    else if (unit > 1)
        out.assumptions.push_back(
            say("{} is rented in whole instances of {}: all of them are paid", listed.name, unit));
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
        std::vector<Message> asked;
        if (!money.provider.empty())
            asked.push_back(asIs(money.provider));
        if (money.priceKind)
            asked.push_back(asIs(name(*money.priceKind)));
        warnOfPrice(out,
                    say("nobody is known to rent {} so ({}): {}", listed.name, joined(std::move(asked), ", "),
                        known.empty() ? Message("give --price") : say("known are {}", known)));
    } else if (!price) {
        warnOfPrice(out,
                    listed.purchasePrice ? say(
                        "no rent is known for {}: give --price, or --buy=yes for its purchase price of {}",
                        listed.name, amountText(listed.purchasePrice->base()))
                                         : say("no price is known for {}: give --price", listed.name));
    } else if (!money.gpuPrice) {
        out.assumptions.push_back(rentText(listed, money, *price));
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
        return warnOfPrice(out,
                           say("no price is known for {} without its accelerators: give --server", box.name));
    if (gpu.soldAs() != SoldAs::Device && one.servers > Dollars())
        out.assumptions.push_back(
            out.scenario.money.serverPrice || box.priceAsOf.empty()
                ? say("the rest of a {} costs {}", box.name, amountText(one.servers.base()))
                : say("the rest of a {} costs {} ({})", box.name, amountText(one.servers.base()),
                      box.priceAsOf));
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
    out.assumptions.push_back(say("a GPU bought for {} and written off over {} years costs {} an "
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
    if (Message currency = currencyAssumption(); !currency.empty())
        out.assumptions.push_back(std::move(currency));
    const Money& money = out.scenario.money;
    Deployment& d = out.deployment;
    if (!(d.gpu->tdp > Watts()))
        out.warnings.emplace_back(
            RemarkKind::Power,
            say("no power is known for {}: power and electricity are left out", d.gpu->name));
    const std::optional<Dollars> purchase = money.purchasePrice ? money.purchasePrice
        : buys(money)                                           ? d.gpu->purchasePrice
                                                                : std::nullopt;
    if (money.gpuPrice || (!purchase && !buys(money)))
        return rentIn(out);
    if (purchase)
        return buyIn(out, *purchase);
    warnOfPrice(out, say("no purchase price is known for {}: give --purchase", d.gpu->name));
    auto unpriced = std::make_shared<Gpu>(*d.gpu);
    unpriced->cloudPrice.reset(); // rent is not what was asked for
    d.gpu = unpriced.get();
    out.ownGpu = std::move(unpriced);
}

} // namespace headroom
