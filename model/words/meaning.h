#pragma once

#include <cstdint>

namespace headroom::ask {

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
// clang-format on

} // namespace headroom::ask
