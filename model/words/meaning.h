#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace headroom::ask {

// A constant of an enumeration as the code spells it: no list of names can fall out of step with it.
// Compilers write the constant into the function's name: "… [with auto constant =
// headroom::ask::Meaning::Filler; …]", and "(headroom::ask::Meaning)99" where none has the value.
template <auto constant>
[[nodiscard]] consteval std::string_view spelling()
{
    constexpr std::string_view key = "constant = ";
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find(key) + key.size());
    text = text.substr(0, text.find_first_of(";]"));
    return text.starts_with('(') ? std::string_view{} : text.substr(text.rfind(':') + 1);
}

// The constant that the tables call so, of an enumeration that counts from zero.
template <typename E, std::size_t n = 0>
[[nodiscard]] std::optional<E> constantCalled(std::string_view name)
{
    constexpr auto constant = static_cast<E>(n);
    if constexpr (spelling<constant>().empty())
        return std::nullopt;
    else
        return name == spelling<constant>() ? std::optional(constant) : constantCalled<E, n + 1>(name);
}

// The same of a name that has to be one.
template <typename E>
[[nodiscard]] E demandedConstant(std::string_view name, const char* what)
{
    if (const auto constant = constantCalled<E>(name))
        return *constant;
    throw std::logic_error(std::string(what) + ": '" + std::string(name) + "'");
}

// What a phrase of the language is, before numbers find their roles. The tables may name more of them, which
// stand behind `Free`: words that only lead numbers to roles need no code.
// clang-format off
enum class Meaning : std::uint16_t {
    Filler, Comma, Noise,
    // what is asked, and relations
    HowFast, MemoryWord, CostWord, YesNo, AtMost, AtLeast, Per, Each, Every, Or, Only, Total,
    // units; the value of a row is its factor
    Time, Token, Kilo, TokenRate, Request, RequestRate, User, Card, Box, Dollar, Cent, Yuan, Euro, OtherMoney,
    Words, Watt, Number, Fraction, Quantity, Percentile,
    // topics that more than numbers ask for
    Concurrent, Moment, Ttft, Tpot, Latency, Speed, Throughput, Prompt, Output, Context, KvCache, Weights,
    Replicas, Goal, Vendor, Provider, PriceKind, CardHour, Group, Company, Documents, Foreign, Power,
    PowerDraw, PowerLimited, Supply, Outside, Mention,
    Free // the first that only tables know
};

// What kind of quantity a span is: its unit with what it is per. The table of roles names these.
enum class Dimension : std::uint8_t {
    // a bare number; written with k or m; over a time: "10k a month"; of a GPU that is named beside it
    Plain, Thousands, PlainRate, Count,
    Card, Box, Replica, Time, TimeOfToken, TimeOfDay, Clock, Token, TokenRate, Request, RequestRate,
    User, People, // users; those who are counted as a trade or a staff: "25 developers"
    Percent, Percentile, Times, Money, MoneyRate, MoneyOfKwh, MoneyOfTokens, Bytes, Watt, Bits,
    Before, Behind // of a pair "4k/1k" the first and the second
};
// clang-format on

} // namespace headroom::ask
