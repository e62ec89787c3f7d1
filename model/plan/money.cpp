#include "model/plan/money.h"

#include "model/yaml/catalogue.h"

namespace headroom {

OwnedHour ownedHour(const Gpu& gpu, Dollars purchasePrice, const Money& money)
{
    OwnedHour out;
    out.writeOff = purchasePrice.base() / (money.amortisationYears * hoursPerYear);
    out.kilowatts = gpu.tdp.base() / 1000 * money.pue;
    out.electricity = out.kilowatts * money.electricityPerKwh;
    return out;
}

std::optional<RentOrOwn> rentOrOwn(const Gpu& listed, const Money& money, int gpus)
{
    const auto rent = money.gpuPrice ? money.gpuPrice : listed.cloudPrice;
    const auto purchase = money.purchasePrice ? money.purchasePrice : listed.purchasePrice;
    if (!rent || !purchase || gpus < 1)
        return std::nullopt;
    const OwnedHour hour = ownedHour(listed, *purchase, money);
    return RentOrOwn{.rent = perHour(*rent) * gpus,
                     .own = hour.total() * gpus,
                     .electricity = hour.electricity * gpus,
                     .purchase = *purchase * gpus,
                     .years = money.amortisationYears};
}

RentOrOwn operator+(const RentOrOwn& a, const RentOrOwn& b)
{
    return {.rent = a.rent + b.rent,
            .own = a.own + b.own,
            .electricity = a.electricity + b.electricity,
            .purchase = a.purchase + b.purchase,
            .years = a.years};
}

Scenario withPurchasePrice(Scenario scenario, const Catalogue& catalogue)
{
    if (!scenario.money.buy || scenario.money.purchasePrice || scenario.gpus.empty())
        return scenario;
    const auto match = catalogue.findGpu(scenario.gpus.front());
    const auto gpu = catalogue.gpu(match ? match->id : scenario.gpus.front());
    if (gpu)
        scenario.money.purchasePrice = (*gpu)->purchasePrice;
    return scenario;
}

} // namespace headroom
