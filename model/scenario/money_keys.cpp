#include "model/scenario/money_keys.h"

#include "model/base/quantity_text.h"
#include "model/base/spelling.h"

#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

namespace {

Problems misread(const Message& expected, std::string_view text, Message hint = {})
{
    return {{"", say("expected {}, got '{}'", expected, asIs(text)), std::move(hint)}};
}

struct Suffix {
    std::string_view name;
    double factor;
};

// A bare number, or one with a unit behind it: "8h", "1.5 B".
std::optional<double> numberIn(std::string_view text, std::span<const Suffix> units)
{
    double factor = 1;
    for (const Suffix& unit : units)
        if (text.ends_with(unit.name) && text.size() > unit.name.size()) {
            factor = unit.factor;
            text.remove_suffix(unit.name.size());
            break;
        }
    while (text.ends_with(' '))
        text.remove_suffix(1);
    const Result<double> number = numberFromText(text);
    return number ? std::optional(*number * factor) : std::nullopt;
}

constexpr std::array magnitudes{Suffix{"k", 1e3}, Suffix{"K", 1e3}, Suffix{"M", 1e6}, Suffix{"B", 1e9},
                                Suffix{"T", 1e12}};
constexpr std::array durations{Suffix{"weeks", 604800}, Suffix{"days", 86400}, Suffix{"hours", 3600},
                               Suffix{"min", 60},       Suffix{"w", 604800},   Suffix{"d", 86400},
                               Suffix{"h", 3600},       Suffix{"s", 1}};
constexpr std::array powers{Suffix{"kW", 1}, Suffix{"MW", 1000}, Suffix{"W", 1e-3}};
constexpr std::array percents{Suffix{"%", 0.01}};
constexpr std::array<Suffix, 0> bare{};

struct Limits {
    double low;
    double high;
    Code words;
};

template <typename Field>
Problems setIn(Field& field, std::string_view text, std::span<const Suffix> units, const Limits& limits)
{
    const std::optional<double> number = numberIn(text, units);
    if (!number || *number < limits.low || *number > limits.high)
        return misread(limits.words, text);
    field = *number;
    return {};
}

Problems setCount(std::optional<int>& field, std::string_view text)
{
    std::optional<double> number;
    Problems bad = setIn(number, text, bare, {1, 65536, "a whole number from 1 to 65536"});
    if (bad.empty() && *number != std::floor(*number))
        return misread("a whole number from 1 to 65536", text);
    if (bad.empty())
        field = static_cast<int>(*number);
    return bad;
}

constexpr Limits fromOne{1, 1e18, "a number from 1 up, such as 5000000, 5M or 1B"};
constexpr Limits fraction{0, 1, "a fraction from 0 to 1"};

} // namespace

Problems setProvider(Scenario& s, std::string_view text)
{
    if (text.empty())
        return misread("who rents the machines out", text);
    s.money.provider = text;
    return {};
}

Problems setPriceKind(Scenario& s, std::string_view text)
{
    const std::optional<PriceKind> kind = priceKindOf(text);
    const std::vector<std::string> names(priceKindNames.begin(), priceKindNames.end());
    if (!kind) {
        Message hint = spellingHint(std::string(text), names);
        return misread("a kind of price", text,
                       hint.empty() ? "one of on-demand, reserved, spot" : std::move(hint));
    }
    s.money.priceKind = kind;
    return {};
}

Problems setServer(Scenario& s, std::string_view text)
{
    double price = 0;
    Problems bad = setIn(price, text, bare, {0, 1e9, "a price from 0 to 1e9"});
    if (bad.empty())
        s.money.serverPrice = Dollars(price);
    return bad;
}

Problems setHoursPerDay(Scenario& s, std::string_view text)
{
    return setIn(s.money.hoursPerDay, text, bare, {0.1, 24, "hours from 0.1 to 24"});
}

Problems setDaysPerWeek(Scenario& s, std::string_view text)
{
    return setIn(s.money.daysPerWeek, text, bare, {0.1, 7, "days from 0.1 to 7"});
}

Problems setYears(Scenario& s, std::string_view text)
{
    return setIn(s.money.years, text, bare, {0.25, 30, "years from 0.25 to 30"});
}

Problems setHosting(Scenario& s, std::string_view text)
{
    return setIn(s.money.hostingPerKwMonth, text, bare, {0, 1e5, "a price from 0 to 1e5"});
}

Problems setStaff(Scenario& s, std::string_view text)
{
    return setIn(s.money.staffShare, text, percents, fraction);
}

Problems setResidual(Scenario& s, std::string_view text)
{
    return setIn(s.money.residualShare, text, percents, fraction);
}

Problems setInterest(Scenario& s, std::string_view text)
{
    return setIn(s.money.interestPerYear, text, percents, fraction);
}

Problems setApiPrice(Scenario& s, std::string_view text)
{
    constexpr Code words = "two prices of a million tokens, of prompts and of answers: 0.5/1.5";
    constexpr Limits limits{0, 1e6, words};
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos)
        return misread(words, text);
    ApiPrice price;
    if (!setIn(price.input, text.substr(0, slash), bare, limits).empty()
        || !setIn(price.output, text.substr(slash + 1), bare, limits).empty())
        return misread(words, text);
    s.money.apiPrice = price;
    return {};
}

Problems setMessages(Scenario& s, std::string_view text)
{
    return setIn(s.messagesPerMinute, text, bare, {1e-6, 1e6, "a number above 0 and up to 1e6"});
}

Problems setTokensPerMonth(Scenario& s, std::string_view text)
{
    return setIn(s.tokensPerMonth, text, magnitudes, fromOne);
}

Problems setJobTokens(Scenario& s, std::string_view text)
{
    return setIn(s.jobTokens, text, magnitudes, fromOne);
}

Problems setJobRequests(Scenario& s, std::string_view text)
{
    return setIn(s.jobRequests, text, magnitudes, fromOne);
}

Problems setDeadline(Scenario& s, std::string_view text)
{
    double seconds = 0;
    Problems bad
        = setIn(seconds, text, durations, {1, 3.2e8, "a time from 1 s to 10 years, such as 8h, 7d or 3600"});
    if (bad.empty())
        s.deadline = Seconds(seconds);
    return bad;
}

Problems setPowerCap(Scenario& s, std::string_view text)
{
    double kilowatts = 0;
    Problems bad
        = setIn(kilowatts, text, powers, {0.01, 1e7, "a power from 0.01 kW up, such as 40 or 40 kW"});
    if (bad.empty())
        s.powerCap = Watts(kilowatts * 1e3);
    return bad;
}

Problems setMostGpus(Scenario& s, std::string_view text) { return setCount(s.mostGpus, text); }
Problems setMostBoxes(Scenario& s, std::string_view text) { return setCount(s.mostBoxes, text); }

} // namespace headroom
