#include "model/resolve/money.h"

#include "model/cost/power.h"
#include "model/yaml/catalogue.h"

namespace headroom {

bool buys(const Money& money) { return money.buy || money.purchaseBudget; }

double ownPowerPrice(const Money& money) { return money.electricityPerKwh * money.pue; }

OwnedHour ownedHour(Dollars purchasePrice, Watts power, const Money& money)
{
    OwnedHour out;
    out.writeOff = purchasePrice.base() / (money.amortisationYears * hoursPerYear);
    out.kilowatts = power.base() / 1000 * money.pue;
    out.electricity = out.kilowatts * money.electricityPerKwh;
    return out;
}

std::optional<double> hourAtFullPower(const Deployment& deployment)
{
    const Gpu& gpu = *deployment.gpu;
    if (!gpu.cloudPrice)
        return std::nullopt;
    const double kilowatts = powerPerGpu(gpu, *deployment.node, 1, 1).value.base() / 1000;
    return (perHour(*gpu.cloudPrice) + kilowatts * deployment.ownPowerPrice) * deployment.layout.gpus();
}

std::optional<RentOrOwn> rentOrOwn(const Gpu& listed, const Money& money, int gpus, Watts power)
{
    const auto rent = money.gpuPrice ? money.gpuPrice : listed.cloudPrice;
    const auto purchase = money.purchasePrice ? money.purchasePrice : listed.purchasePrice;
    if (!rent || !purchase || gpus < 1)
        return std::nullopt;
    const OwnedHour hour = ownedHour(*purchase * gpus, power, money);
    return RentOrOwn{.rent = perHour(*rent) * gpus,
                     .own = hour.total(),
                     .electricity = hour.electricity,
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
    if (!buys(scenario.money) || scenario.money.purchasePrice || scenario.gpus.empty())
        return scenario;
    const auto match = catalogue.findGpu(scenario.gpus.front());
    const auto gpu = catalogue.gpu(match ? match->id : scenario.gpus.front());
    if (gpu)
        scenario.money.purchasePrice = (*gpu)->purchasePrice;
    return scenario;
}

} // namespace headroom
