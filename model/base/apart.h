#pragma once

#include "model/base/currency.h"
#include "model/base/figure_text.h"
#include "model/base/message.h"

#include <string>

namespace headroom {

// Two figures that a sentence sets against each other: with three digits that matter, or as many more as it
// takes to see that they differ. "23.3" and "23.3" of which one is too much are "23.31" and "23.29".
struct Apart {
    Message one;
    Message other;
};

[[nodiscard]] inline Apart apart(double one, double other)
{
    constexpr int enough = 3;
    constexpr int most = 12; // what differs less differs by rounding
    int digits = enough;
    while (digits < most && one != other && fewDigits(one, digits) == fewDigits(other, digits))
        ++digits;
    if (digits == most)
        digits = enough;
    return {asIs(fewDigits(one, digits)), asIs(fewDigits(other, digits))};
}

// Of money, as amounts are told: to the cent or in whole ones, where that shows it.
[[nodiscard]] inline Apart amountsApart(double dollars, double others)
{
    std::string one = amountText(dollars);
    std::string other = amountText(others);
    if (one != other)
        return {asIs(one), asIs(other)};
    const Currency currency = toldCurrency();
    const Apart figures = apart(dollars * currency.perDollar, others * currency.perDollar);
    return {asIs(currency.sign) + figures.one, asIs(currency.sign) + figures.other};
}

} // namespace headroom
