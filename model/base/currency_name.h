#pragma once

#include "model/base/currency.h"
#include "model/base/result.h"

#include <string>
#include <string_view>

namespace headroom {

// A currency as it is written in a flag and in settings: "USD", "CNY" at the published rate, "CNY=7.1" at
// another; "EUR" and "EUR=0.9" alike.
[[nodiscard]] std::string currencyName(const Currency& currency);
// `where` is said of what cannot be read.
[[nodiscard]] Result<Currency> readCurrency(std::string_view name, std::string_view where);

// Yuan to a dollar that are believed to be meant.
inline constexpr double leastYuan = 1;
inline constexpr double mostYuan = 100;
inline constexpr double leastEuro = 0.2;
inline constexpr double mostEuro = 5;

} // namespace headroom
