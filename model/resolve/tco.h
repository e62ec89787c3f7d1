#pragma once

#include "model/resolve/money.h"

#include <optional>
#include <vector>

namespace headroom {

// What costs are worked out from. A bill that is not known leaves owning out, a rent that is not renting.
struct CostQuestion {
    std::optional<Bill> bill;
    Watts power; // of the machines at work
    Watts fullPower;
    std::optional<double> rentPerHour; // dollars, while they run
    double promptTokens = 0;           // of a request
    double outputTokens = 0;
    double tokensPerMonth = 0; // of both kinds; 0: unknown
    double users = 0;          // at once; 0: unknown
};

// What a service costs over years, in dollars.
struct CostOverYears {
    double years = 0;
    std::optional<Bill> bill;
    OwnedRun run;
    double electricity = 0; // over the years, as are the others
    double room = 0;
    double staff = 0;
    double interest = 0; // of the loan, above the purchase
    double gotBack = 0;
    std::optional<double> own;  // all of it
    std::optional<double> rent; // of the same machines
    std::optional<double> api;  // of as many tokens elsewhere
    // Paid in all at the end of month 0, 1, 2 …; empty where it is not known.
    std::vector<double> ownByMonth;
    std::vector<double> rentByMonth;
    std::vector<double> apiByMonth;
    double tokensPerMonth = 0;
    std::optional<double> monthsToRent; // until owning has cost less than renting; empty: never, or unknown
    std::optional<double> monthsToApi;
    std::optional<double> tokensWorthIt;   // a month, above which the machines cost less than the API
    std::optional<double> perUserAndMonth; // of the cheaper of owning and renting

    [[nodiscard]] double months() const { return years * 12; }
    // A month of the cheaper of owning and renting.
    [[nodiscard]] std::optional<double> perMonth() const;
};
[[nodiscard]] CostOverYears costOverYears(const CostQuestion& question, const Money& money);

} // namespace headroom
