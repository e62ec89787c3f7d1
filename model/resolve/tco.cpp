#include "model/resolve/tco.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

constexpr double aMillion = 1e6;

std::vector<double> cumulative(double atOnce, double perMonth, int months, double gotBack)
{
    std::vector<double> out;
    out.reserve(static_cast<std::size_t>(months) + 1);
    for (int month = 0; month <= months; ++month)
        out.push_back(atOnce + perMonth * month);
    out.back() -= gotBack;
    return out;
}

// When a purchase has been paid by what is not spent elsewhere.
std::optional<double> monthsUntil(const OwnedRun& run, double elsewherePerMonth)
{
    const double saved = elsewherePerMonth - run.perMonth();
    return saved > 0 ? std::optional(run.atOnce.base() / saved) : std::nullopt;
}

// Dollars for a aMillion tokens of the question's mixture.
std::optional<double> apiPerMillion(const CostQuestion& q, const Money& money)
{
    const double tokens = q.promptTokens + q.outputTokens;
    if (!money.apiPrice || tokens <= 0)
        return std::nullopt;
    return (money.apiPrice->input * q.promptTokens + money.apiPrice->output * q.outputTokens) / tokens;
}

void addOwning(CostOverYears& out, const CostQuestion& q, const Money& money, int months)
{
    const Dollars purchase = q.bill->total();
    out.bill = q.bill;
    out.run = ownedRun(purchase, q.power, q.fullPower, money);
    out.electricity = out.run.electricity * months;
    out.room = out.run.room * months;
    out.staff = out.run.staff * months;
    out.interest = out.run.loan > 0 ? out.run.loan * months - purchase.base() : 0;
    out.gotBack = out.run.gotBack.base();
    out.ownByMonth = cumulative(out.run.atOnce.base(), out.run.perMonth(), months, out.gotBack);
    out.own = out.ownByMonth.back();
}

} // namespace

std::optional<double> CostOverYears::perMonth() const
{
    if (!own && !rent)
        return std::nullopt;
    return std::min(own.value_or(1e300), rent.value_or(1e300)) / months();
}

CostOverYears costOverYears(const CostQuestion& q, const Money& money)
{
    const int months = std::max(1, static_cast<int>(std::round(yearsOf(money) * 12)));
    CostOverYears out;
    out.years = months / 12.0;
    if (q.bill)
        addOwning(out, q, money, months);
    if (q.rentPerHour) {
        const double perMonth = *q.rentPerHour * hoursPerMonth * usedShare(money);
        out.rentByMonth = cumulative(0, perMonth, months, 0);
        out.rent = out.rentByMonth.back();
        if (out.own)
            out.monthsToRent = monthsUntil(out.run, perMonth);
    }
    out.tokensPerMonth = q.tokensPerMonth;
    const std::optional<double> each = apiPerMillion(q, money);
    if (each && q.tokensPerMonth > 0) {
        const double perMonth = *each * q.tokensPerMonth / aMillion;
        out.apiByMonth = cumulative(0, perMonth, months, 0);
        out.api = out.apiByMonth.back();
        if (out.own)
            out.monthsToApi = monthsUntil(out.run, perMonth);
    }
    const std::optional<double> month = out.perMonth();
    if (month && each && *each > 0)
        out.tokensWorthIt = *month / *each * aMillion;
    if (month && q.users >= 1)
        out.perUserAndMonth = *month / q.users;
    return out;
}

} // namespace headroom
