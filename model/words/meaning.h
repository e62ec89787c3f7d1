#pragma once

#include <cstdint>

namespace headroom::ask {

// What a phrase of the language is, before numbers find their roles. The tables may name more of them, which
// stand behind `Free`: words that only lead numbers to roles need no code.
// clang-format off
enum class Meaning : std::uint16_t {
    Filler, Comma, Noise,
    // what is asked
    HowMany, Which, CanRun, Enough, HowFast, WhatGives, MemoryWord, CostWord, YesNo,
    // relations
    AtMost, AtLeast, Per, Each, Every, Or, Only, Total,
    // units; the value of a row is its factor
    Time, PerTime, Token, Kilo, TokenRate, Request, RequestRate, User, Card, Box, Percent, Dollar, Cent,
    Yuan, Euro, OtherMoney, Kwh, Times, Words, Bytes, Watt, Bits, Number, Fraction, Quantity, Percentile,
    // topics that more than numbers ask for
    Concurrent, Moment, Ttft, Tpot, Latency, Speed, Throughput, Prompt, Output, Context, KvCache, Weights,
    Replicas, Price, Rent, Mean, Goal, Vendor, Provider, PriceKind, CardHour, In, Out, Group, Company, Documents,
    Racks, Batch, Electricity, Foreign, Power, PowerDraw, PowerLimited, Supply, Outside, Mention,
    Free // the first that only tables know
};
// clang-format on

} // namespace headroom::ask
