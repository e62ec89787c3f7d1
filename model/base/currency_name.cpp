#include "model/base/currency_name.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fmt/format.h>
#include <system_error>

namespace headroom {

std::string currencyName(const Currency& currency)
{
    if (currency.isDollar() || !currency.asOf.empty())
        return std::string(currency.code);
    return fmt::format("{}={}", currency.code, currency.perDollar);
}

Result<Currency> readCurrency(std::string_view name, std::string_view where)
{
    const std::size_t equals = name.find('=');
    std::string code(name.substr(0, equals));
    std::transform(code.begin(), code.end(), code.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    if (code == "USD" && equals == std::string_view::npos)
        return Currency{};
    const bool euro = code == "EUR";
    if (code != "CNY" && code != "RMB" && !euro)
        return refuse(std::string(where),
                      say("'{}' is not a currency that amounts can be shown in", asIs(name)),
                      "USD, CNY, EUR, CNY=7.1 or EUR=0.9");
    if (equals == std::string_view::npos)
        return euro ? publishedEuro : publishedYuan;
    const std::string_view digits = name.substr(equals + 1);
    double rate = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rate);
    const bool number = error == std::errc() && end == digits.data() + digits.size();
    if (number && euro && rate >= leastEuro && rate <= mostEuro)
        return euroAt(rate);
    if (number && !euro && rate >= leastYuan && rate <= mostYuan)
        return yuanAt(rate);
    return refuse(std::string(where),
                  euro ? say("'{}' is no rate of euros to a dollar", asIs(digits))
                       : say("'{}' is no rate of yuan to a dollar", asIs(digits)),
                  euro ? asIs("EUR=0.9") : asIs("CNY=7.1"));
}

} // namespace headroom
