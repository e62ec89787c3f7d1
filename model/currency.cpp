#include "model/currency.h"

#include <fmt/format.h>

namespace headroom {

namespace {

Currency& told()
{
    static Currency currency;
    return currency;
}

} // namespace

Currency yuanAt(double perDollar)
{
    Currency out = publishedYuan;
    out.perDollar = perDollar;
    out.asOf = {};
    return out;
}

const Currency& toldCurrency() { return told(); }
void tellAmountsIn(const Currency& currency) { told() = currency; }

std::string amountText(double dollars)
{
    const double amount = dollars * told().perDollar;
    return fmt::format("{}{:.{}f}", told().sign, amount, amount < 1000 ? 2 : 0);
}

std::string currencyAssumption()
{
    if (told().isDollar())
        return {};
    return told().asOf.empty() ? fmt::format("amounts in yuan, {:.5g} to a US dollar", told().perDollar)
                               : fmt::format("amounts in yuan, {:.5g} to a US dollar (average of {})",
                                             told().perDollar, told().asOf);
}

} // namespace headroom
