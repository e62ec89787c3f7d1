#pragma once

#include "model/catalogue/gpu.h"
#include "model/plan/scenario.h"

#include <optional>

namespace headroom {

class Catalogue;

constexpr double hoursPerDay = 24;
constexpr double hoursPerYear = 8766; // 365.25 days
constexpr double hoursPerMonth = hoursPerYear / 12;

// What an hour of one GPU costs who owns it.
struct OwnedHour {
    double writeOff = 0;    // dollars
    double kilowatts = 0;   // at full power, what the building adds included
    double electricity = 0; // dollars
    [[nodiscard]] double total() const { return writeOff + electricity; }
};
[[nodiscard]] OwnedHour ownedHour(const Gpu& gpu, Dollars purchasePrice, const Money& money);

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
// first.
[[nodiscard]] std::optional<RentOrOwn> rentOrOwn(const Gpu& listed, const Money& money, int gpus);

// The scenario on the first of its accelerators: a machine that is bought and whose price the user did not
// give costs what the catalogue says.
[[nodiscard]] Scenario withPurchasePrice(Scenario scenario, const Catalogue& catalogue);

} // namespace headroom
