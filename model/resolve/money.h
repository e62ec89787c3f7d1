#pragma once

#include "model/catalogue/gpu.h"
#include "model/deploy/deployment.h"
#include "model/scenario/scenario.h"

#include <optional>

namespace headroom {

class Catalogue;

constexpr double hoursPerDay = 24;
constexpr double hoursPerWeek = 168;
constexpr double hoursPerYear = 8766; // 365.25 days
constexpr double hoursPerMonth = hoursPerYear / 12;

// Machines are bought, and not rented: said so, or by a budget to buy from.
[[nodiscard]] bool buys(const Money& money);
// Share of a week that the machines run.
[[nodiscard]] double usedShare(const Money& money);
// Years that costs are told over.
[[nodiscard]] double yearsOf(const Money& money);

// What an hour of GPUs costs who owns them.
struct OwnedHour {
    double writeOff = 0;    // dollars; with staff, interest and what is got back in the end
    double kilowatts = 0;   // what the building adds included
    double electricity = 0; // dollars
    [[nodiscard]] double total() const { return writeOff + electricity; }
};
// `power` is that of the machines at work, without the building.
[[nodiscard]] OwnedHour ownedHour(Dollars purchasePrice, Watts power, const Money& money);
// Dollars that a kWh of the machines costs their owner, what the building adds included.
[[nodiscard]] double ownPowerPrice(const Money& money);
// What a lender is paid each month for a loan of one dollar; 0 where the purchase is paid at once.
[[nodiscard]] double loanPaymentPerMonth(const Money& money);

// Dollars an hour of a deployment's GPUs, those of one's own at full power; empty where no price is known. By
// this machines are compared and counted: what they draw at some load favours those that idle.
[[nodiscard]] std::optional<double> hourAtFullPower(const Deployment& deployment);
// What so many GPUs draw with their boxes and every unit busy, without the building.
[[nodiscard]] Watts fullPower(const Deployment& deployment, int gpus);
// The same of those that work.
[[nodiscard]] Watts fullPower(const Deployment& deployment);

// What is bought for a deployment: its GPUs as they are sold, the boxes around them, their network.
struct Bill {
    int gpus = 0; // bought; modules come with their box
    int boxes = 0;
    Dollars accelerators;
    Dollars servers;
    Dollars network;
    bool serversKnown = true;
    bool networkKnown = true;
    [[nodiscard]] Dollars total() const { return accelerators + servers + network; }
    friend bool operator==(const Bill&, const Bill&) = default;
};
[[nodiscard]] Bill operator+(const Bill& a, const Bill& b);
[[nodiscard]] Bill purchaseBill(const Deployment& deployment, Dollars each, const Money& money);
// GPUs that a sum buys with their boxes.
[[nodiscard]] int gpusBought(Dollars sum, const Deployment& deployment, Dollars each, const Money& money);
// GPUs that so many dollars an hour pay.
[[nodiscard]] int gpusPaid(double perHour, const Deployment& deployment);

// What owning takes, in dollars a month; all of it is for the whole purchase.
struct OwnedRun {
    Dollars atOnce; // at the beginning
    double loan = 0;
    double electricity = 0;
    double room = 0;
    double staff = 0;
    Dollars gotBack; // in the end
    [[nodiscard]] double perMonth() const { return loan + electricity + room + staff; }
};
// `power` is that at work, `full` what the room must be able to give.
[[nodiscard]] OwnedRun ownedRun(Dollars purchase, Watts power, Watts full, const Money& money);

// Dollars a month of a service at a price of an hour: what is owned costs the whole month, what is rented and
// what machines draw only while they run.
[[nodiscard]] double perMonth(DollarsPerSecond price, Watts power, const Deployment& deployment,
                              const Money& money);

// GPUs of the smallest instance that can be rented: one where somebody rents them singly.
[[nodiscard]] int rentedUnit(const Gpu& listed, const Node& node, const Money& money);

// The same GPUs rented and owned: dollars an hour of the calendar, whether they run in it or not.
struct RentOrOwn {
    double rent = 0;
    double own = 0; // written off, with electricity and whatever else was stated
    double electricity = 0;
    double running = 0; // what is not paid at once: electricity, room, staff, a loan
    Bill bill;
    Dollars purchase; // all of the bill
    Dollars atOnce;   // of it; nothing where a loan pays
    double years = 0; // written off over
    [[nodiscard]] bool owningPays() const { return own < rent; }
    // Months until what renting would have cost has paid for the machines and what they take.
    [[nodiscard]] double monthsToPay() const { return atOnce.base() / ((rent - running) * hoursPerMonth); }
};
// Of GPUs of two kinds together.
[[nodiscard]] RentOrOwn operator+(const RentOrOwn& a, const RentOrOwn& b);
// None where either price is unknown. `listed` is the accelerator of the catalogue; the user's prices come
// first. `power` is that of all GPUs at work, with the boxes around them.
[[nodiscard]] std::optional<RentOrOwn> rentOrOwn(const Gpu& listed, const Money& money,
                                                 const Deployment& deployment, Watts power);

// The scenario on the first of its accelerators: a machine that is bought and whose price the user did not
// give costs what the catalogue says.
[[nodiscard]] Scenario withPurchasePrice(Scenario scenario, const Catalogue& catalogue);

} // namespace headroom
