#include "model/base/currency.h"

#include "model/base/figure_text.h"

#include <cmath>
#include <fmt/format.h>
#include <mutex>
#include <shared_mutex>

namespace headroom {

namespace {

// Plans are made on threads of their own while a window may change what they are told in.
struct Told {
    std::shared_mutex mutex;
    Currency currency;
};
Told& told()
{
    static Told one;
    return one;
}

} // namespace

Currency yuanAt(double perDollar)
{
    Currency out = publishedYuan;
    out.perDollar = perDollar;
    out.asOf = {};
    return out;
}

Currency euroAt(double perDollar)
{
    Currency out = publishedEuro;
    out.perDollar = perDollar;
    out.asOf = {};
    return out;
}

Currency toldCurrency()
{
    const std::shared_lock lock(told().mutex);
    return told().currency;
}
void tellAmountsIn(const Currency& currency)
{
    const std::unique_lock lock(told().mutex);
    told().currency = currency;
}

std::string amountText(double dollars)
{
    const Currency currency = toldCurrency();
    const double amount = dollars * currency.perDollar;
    const double cents = amount * 100;
    const bool whole = std::abs(cents - std::round(cents)) < 1e-6;
    if (amount > 0 && amount < 1 && !whole) // a price of electricity
        return fmt::format("{}{}", currency.sign, fewDigits(amount, 3));
    return amount < 999.995 ? fmt::format("{}{:.2f}", currency.sign, amount)
                            : fmt::format("{}{}", currency.sign, groupedDigits(amount));
}

double toldAbove(double dollars)
{
    const double perDollar = toldCurrency().perDollar;
    const double amount = dollars * perDollar;
    const double inOne = amount < 999 ? 100 : 1; // to the cent, as amounts are told
    return std::ceil(amount * inOne * (1 - 1e-12)) / inOne / perDollar;
}

Message currencyAssumption()
{
    const Currency currency = toldCurrency();
    if (currency.isDollar())
        return {};
    const Message name = currency.code == publishedEuro.code ? Message("euros") : "yuan";
    return currency.asOf.empty() ? say("amounts in {}, {:.5g} to a US dollar", name, currency.perDollar)
                                 : say("amounts in {}, {:.5g} to a US dollar (average of {})", name,
                                       currency.perDollar, asIs(currency.asOf));
}

} // namespace headroom
