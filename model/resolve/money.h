#pragma once

#include "model/catalogue/gpu.h"
#include "model/deploy/deployment.h"
#include "model/scenario/scenario.h"

#include <optional>

namespace headroom {

class Catalogue;

constexpr double hoursPerDay = 24;
constexpr double hoursPerYear = 8766; // 365.25 days
constexpr double hoursPerMonth = hoursPerYear / 12;

// Machines are bought, and not rented: said so, or by a budget to buy from.
[[nodiscard]] bool buys(const Money& money);

// What an hour of GPUs costs who owns them.
struct OwnedHour {
    double writeOff = 0;    // dollars
    double kilowatts = 0;   // what the building adds included
    double electricity = 0; // dollars
    [[nodiscard]] double total() const { return writeOff + electricity; }
};
// `power` is that of the machines at work, without the building.
[[nodiscard]] OwnedHour ownedHour(Dollars purchasePrice, Watts power, const Money& money);
// Dollars that a kWh of the machines costs their owner, what the building adds included.
[[nodiscard]] double ownPowerPrice(const Money& money);

// Dollars an hour of a deployment's GPUs, those of one's own at full power; empty where no price is known. By
// this machines are compared and counted: what they draw at some load favours those that idle.
[[nodiscard]] std::optional<double> hourAtFullPower(const Deployment& deployment);

// The same GPUs rented and owned, by the hour, running all day.
struct RentOrOwn {
    double rent = 0; // dollars an hour
    double own = 0;  // written off, with electricity
    double electricity = 0;
    Dollars purchase; // of all, without the servers around them
    double years = 0; // written off over
    [[nodiscard]] bool owningPays() const { return own < rent; }
    // Months until what renting would have cost has paid for the GPUs and their electricity.
    [[nodiscard]] double monthsToPay() const
    {
        return purchase.base() / ((rent - electricity) * hoursPerMonth);
    }
};
// Of GPUs of two kinds together.
[[nodiscard]] RentOrOwn operator+(const RentOrOwn& a, const RentOrOwn& b);
// None where either price is unknown. `listed` is the accelerator of the catalogue; the user's prices come
// first. `power` is that of all GPUs at work, with the boxes around them.
[[nodiscard]] std::optional<RentOrOwn> rentOrOwn(const Gpu& listed, const Money& money, int gpus,
                                                 Watts power);

// The scenario on the first of its accelerators: a machine that is bought and whose price the user did not
// give costs what the catalogue says.
[[nodiscard]] Scenario withPurchasePrice(Scenario scenario, const Catalogue& catalogue);

} // namespace headroom
