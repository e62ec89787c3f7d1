#pragma once

#include "model/base/message.h"

#include <string>
#include <string_view>

namespace headroom {

// What amounts of money are told in. All of them are computed in US dollars, and JSON and CSV tell these.
struct Currency {
    std::string_view code = "USD";
    std::string_view sign = "$";
    double perDollar = 1;
    std::string_view asOf; // of a published rate; empty: the user's own

    [[nodiscard]] bool isDollar() const { return code == "USD"; }
    friend bool operator==(const Currency&, const Currency&) = default;
};

// Monthly average of noon buying rates in New York: Board of Governors of the Federal Reserve System, G.5,
// series EXCHUS (alfred.stlouisfed.org/series?seid=EXCHUS), February 2025.
inline constexpr Currency publishedYuan{"CNY", "¥", 7.2734, "2025-02"};
// The same board's G.5 of July 1, 2024: 1.0763 dollars to a euro in June (federalreserve.gov/releases/g5).
inline constexpr Currency publishedEuro{"EUR", "€", 1 / 1.0763, "2024-06"};
[[nodiscard]] Currency yuanAt(double perDollar);
[[nodiscard]] Currency euroAt(double perDollar);

// Of the whole program, as a language is: chosen before anything is told, for texts that people read.
[[nodiscard]] Currency toldCurrency();
void tellAmountsIn(const Currency& currency);

// "$2.46", "¥17.89", "$25,000".
[[nodiscard]] std::string amountText(double dollars);
// The least that is told as a round amount and is no less, in dollars: a budget that is told must do when it
// is asked.
[[nodiscard]] double toldAbove(double dollars);

// "amounts in yuan, 7.2734 to a US dollar (average of 2025-02)"; empty in dollars.
[[nodiscard]] Message currencyAssumption();

} // namespace headroom
