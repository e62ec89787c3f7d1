#include "model/ask/meaning.h"

#include <array>
#include <cstddef>

namespace headroom::ask {

std::string_view nameOf(Meaning meaning)
{
    // In the order of the enumeration.
    constexpr std::array<std::string_view, static_cast<std::size_t>(Meaning::Free)> names{
        "Filler",     "Comma",       "Noise",      "HowMany",    "Which",        "CanRun",      "Enough",
        "HowFast",    "WhatGives",   "MemoryWord", "CostWord",   "YesNo",        "AtMost",      "AtLeast",
        "About",      "Equals",      "Per",        "Each",       "Every",        "Or",          "Not",
        "Only",       "Total",       "Time",       "PerTime",    "Token",        "Kilo",        "TokenRate",
        "Request",    "RequestRate", "User",       "Card",       "Box",          "Percent",     "Dollar",
        "Cent",       "Yuan",        "Euro",       "OtherMoney", "Kwh",          "Times",       "Words",
        "Bytes",      "Watt",        "Bits",       "Number",     "Fraction",     "Quantity",    "Percentile",
        "Concurrent", "Moment",      "Ttft",       "Tpot",       "Latency",      "Speed",       "Throughput",
        "Prompt",     "Output",      "Context",    "KvCache",    "Weights",      "Replicas",    "Budget",
        "Price",      "Buy",         "Rent",       "Peak",       "Mean",         "Goal",        "Vendor",
        "UseCase",    "Again",       "Change",     "Provider",   "PriceKind",    "ToldIn",      "CardHour",
        "In",         "Out",         "Group",      "Company",    "Documents",    "Registered",  "Staff",
        "Active",     "TeamOf",      "Racks",      "Batch",      "GrowsTo",      "Electricity", "PeakRate",
        "Replaces",   "Foreign",     "Power",      "PowerDraw",  "PowerLimited", "Supply"};
    const auto i = static_cast<std::size_t>(meaning);
    return i < names.size() ? names.at(i) : std::string_view{};
}

} // namespace headroom::ask
