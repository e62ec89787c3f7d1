#pragma once

#include "model/catalogue/gpu.h"
#include "model/plan/scenario.h"

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

// The scenario on the first of its accelerators: a machine that is bought and whose price the user did not
// give costs what the catalogue says.
[[nodiscard]] Scenario withPurchasePrice(Scenario scenario, const Catalogue& catalogue);

} // namespace headroom
