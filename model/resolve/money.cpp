#include "model/resolve/money.h"

#include "model/cost/power.h"
#include "model/deploy/paid.h"
#include "model/resolve/offers.h"
#include "model/yaml/catalogue.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

constexpr double mostGpus = 1e6; // GPUs
constexpr double sameTo = 1e-9;  // of an amount

// A sum against a price for each GPU and each box: full boxes first, then singles in one more.
int gpusFor(double sum, double each, double box, int perBox, int unit)
{
    const double full = each * perBox + box;
    if (full <= 0)
        return 1;
    const double boxes = std::floor(std::min(sum / full * (1 + sameTo), mostGpus));
    const double left = sum * (1 + sameTo) - boxes * full - box;
    const double singles = unit > 1 || each <= 0 ? 0 : std::clamp(std::floor(left / each), 0.0, perBox - 1.0);
    return static_cast<int>(std::min(boxes * perBox + singles, mostGpus));
}

std::optional<Dollars> serverOf(const Deployment& d, const Money& money)
{
    if (d.gpu->soldAs() == SoldAs::Device)
        return Dollars();
    return money.serverPrice ? money.serverPrice : d.node->serverPrice;
}

} // namespace

bool buys(const Money& money) { return money.buy || money.purchaseBudget; }

double usedShare(const Money& money) { return money.hoursPerDay * money.daysPerWeek / hoursPerWeek; }

double yearsOf(const Money& money) { return money.years.value_or(money.amortisationYears); }

double ownPowerPrice(const Money& money) { return money.electricityPerKwh * money.pue; }

double loanPaymentPerMonth(const Money& money)
{
    const double monthly = money.interestPerYear / 12;
    if (monthly <= 0)
        return 0;
    const double months = std::round(yearsOf(money) * 12);
    return monthly / (1 - std::pow(1 + monthly, -months));
}

OwnedHour ownedHour(Dollars purchasePrice, Watts power, const Money& money)
{
    const double years = yearsOf(money);
    const double loan = loanPaymentPerMonth(money);
    const double paid = loan > 0 ? loan * std::round(years * 12) : 1; // for a dollar of the purchase
    OwnedHour out;
    out.writeOff = purchasePrice.base() * (paid - money.residualShare + money.staffShare * years)
        / (years * hoursPerYear);
    out.kilowatts = power.base() / 1000 * money.pue;
    out.electricity = out.kilowatts * money.electricityPerKwh;
    return out;
}

Watts fullPower(const Deployment& d, int gpus)
{
    return powerPerGpu(*d.gpu, *d.node, 1, 1).value * static_cast<double>(gpus);
}

Watts fullPower(const Deployment& d) { return fullPower(d, d.layout.gpus()); }

std::optional<double> hourAtFullPower(const Deployment& deployment)
{
    const std::optional<DollarsPerSecond> hour = paidHour(deployment);
    if (!hour)
        return std::nullopt;
    return perHour(*hour) + fullPower(deployment).base() / 1000 * deployment.ownPowerPrice;
}

Bill operator+(const Bill& a, const Bill& b)
{
    return {.gpus = a.gpus + b.gpus,
            .boxes = a.boxes + b.boxes,
            .accelerators = a.accelerators + b.accelerators,
            .servers = a.servers + b.servers,
            .network = a.network + b.network,
            .serversKnown = a.serversKnown && b.serversKnown,
            .networkKnown = a.networkKnown && b.networkKnown};
}

Bill purchaseBill(const Deployment& deployment, Dollars each, const Money& money)
{
    Deployment sold = deployment;
    sold.terms.unit = deployment.gpu->soldAs() == SoldAs::Box ? deployment.node->gpusPerNode : 1;
    Bill out;
    out.boxes = nodesOf(sold);
    out.gpus = paidGpus(sold, sold.layout.gpus(), out.boxes);
    out.accelerators = each * out.gpus;
    const std::optional<Dollars> server = serverOf(sold, money);
    out.serversKnown = server.has_value();
    out.servers = server.value_or(Dollars()) * out.boxes;
    if (out.boxes > 1) {
        out.networkKnown = sold.node->networkPrice.has_value();
        out.network = sold.node->networkPrice.value_or(Dollars()) * out.boxes;
    }
    return out;
}

int gpusBought(Dollars sum, const Deployment& d, Dollars each, const Money& money)
{
    const double server = serverOf(d, money).value_or(Dollars()).base();
    const int unit = d.gpu->soldAs() == SoldAs::Box ? d.node->gpusPerNode : 1;
    const int alone = gpusFor(sum.base(), each.base(), server, d.node->gpusPerNode, unit);
    if (alone <= d.node->gpusPerNode)
        return alone;
    return std::max(d.node->gpusPerNode,
                    gpusFor(sum.base(), each.base(), server + d.node->networkPrice.value_or(Dollars()).base(),
                            d.node->gpusPerNode, unit));
}

int gpusPaid(double sum, const Deployment& d)
{
    Deployment one = d;
    one.layout = {};
    one.terms = {.unit = 1, .perBox = {}, .perLinked = {}};
    const double each = hourAtFullPower(one).value_or(0);
    return gpusFor(sum, each, perHour(d.terms.perBox + d.terms.perLinked), d.node->gpusPerNode, d.terms.unit);
}

double perMonth(DollarsPerSecond price, Watts power, const Deployment& deployment, const Money& money)
{
    const double running
        = deployment.ownPowerPrice > 0 ? power.base() / 1000 * deployment.ownPowerPrice : perHour(price);
    return (perHour(price) - running * (1 - usedShare(money))) * hoursPerMonth;
}

int rentedUnit(const Gpu& listed, const Node& node, const Money& money)
{
    if (money.gpuPrice)
        return 1; // who states a price of one knows what he pays
    if (const std::optional<int> least = leastRented(listed, money))
        return std::min(*least, std::max(1, node.gpusPerNode));
    return listed.soldAs() == SoldAs::Box ? std::max(1, node.gpusPerNode) : 1;
}

OwnedRun ownedRun(Dollars purchase, Watts power, Watts full, const Money& money)
{
    OwnedRun out;
    const double loan = loanPaymentPerMonth(money);
    out.atOnce = loan > 0 ? Dollars() : purchase;
    out.loan = purchase.base() * loan;
    out.electricity = power.base() / 1000 * ownPowerPrice(money) * hoursPerMonth * usedShare(money);
    out.room = full.base() / 1000 * money.hostingPerKwMonth;
    out.staff = purchase.base() * money.staffShare / 12;
    out.gotBack = purchase * money.residualShare;
    return out;
}

std::optional<RentOrOwn> rentOrOwn(const Gpu& listed, const Money& money, const Deployment& deployment,
                                   Watts power)
{
    const auto rent = rentPrice(listed, money);
    const auto purchase = money.purchasePrice ? money.purchasePrice : listed.purchasePrice;
    if (!rent || !purchase || deployment.layout.gpus() < 1)
        return std::nullopt;
    Deployment rented = deployment;
    rented.terms = {.unit = rentedUnit(listed, *deployment.node, money), .perBox = {}, .perLinked = {}};
    const int paid = paidGpus(rented, rented.layout.gpus(), nodesOf(rented));
    RentOrOwn out;
    out.bill = purchaseBill(deployment, *purchase, money);
    out.purchase = out.bill.total();
    const OwnedRun run = ownedRun(out.purchase, power, fullPower(deployment, out.bill.gpus), money);
    out.rent = perHour(*rent) * paid * usedShare(money);
    out.electricity = run.electricity / hoursPerMonth;
    out.running = run.perMonth() / hoursPerMonth;
    out.atOnce = run.atOnce;
    out.years = yearsOf(money);
    out.own = out.running + (run.atOnce - run.gotBack).base() / (out.years * hoursPerYear);
    return out;
}

RentOrOwn operator+(const RentOrOwn& a, const RentOrOwn& b)
{
    return {.rent = a.rent + b.rent,
            .own = a.own + b.own,
            .electricity = a.electricity + b.electricity,
            .running = a.running + b.running,
            .bill = a.bill + b.bill,
            .purchase = a.purchase + b.purchase,
            .atOnce = a.atOnce + b.atOnce,
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
