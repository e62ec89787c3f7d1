#pragma once

#include "model/base/kinds_with_rows.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom {

// The ways a message can go; the fastest is taken. What each takes stands in cost/exchange_form.cpp.
enum class ExchangeProtocol : std::uint8_t {
    Ring,           // round the ring, in segments or not
    OneShot,        // each rank reads the others whole, or round the ring
    OneShotOrThird, // or by a third way: a switch that adds up, another library
    LlSimple,       // NCCL's LL (every word with its flag) or Simple (the ranks meet first)
    LlLl128Simple   // and LL128, lines with one flag
};

// All else that differs between protocols, a row for each: one without it does not compile.
struct ExchangeProtocolRow {
    std::string_view word;  // in files of efficiencies
    bool secondWay = false; // at `oneShotEfficiency`, where others round off their corner by `sharpness`
    bool thirdWay = false;  // from `handedStart` on, at `handedEfficiency`
};

constexpr std::optional<ExchangeProtocolRow> exchangeProtocolRow(ExchangeProtocol protocol)
{
    switch (protocol) {
    case ExchangeProtocol::Ring:
        return ExchangeProtocolRow{.word = "ring"};
    case ExchangeProtocol::OneShot:
        return ExchangeProtocolRow{.word = "one_shot", .secondWay = true};
    case ExchangeProtocol::OneShotOrThird:
        return ExchangeProtocolRow{.word = "one_shot_or_third", .secondWay = true, .thirdWay = true};
    case ExchangeProtocol::LlSimple:
        return ExchangeProtocolRow{.word = "ll_simple", .secondWay = true};
    case ExchangeProtocol::LlLl128Simple:
        return ExchangeProtocolRow{.word = "ll_ll128_simple", .secondWay = true, .thirdWay = true};
    }
    return std::nullopt; // no such protocol: where a walk over all of them ends
}

constexpr bool hasSecondWay(ExchangeProtocol protocol) { return exchangeProtocolRow(protocol)->secondWay; }
constexpr bool hasThirdWay(ExchangeProtocol protocol) { return exchangeProtocolRow(protocol)->thirdWay; }

inline constexpr auto allExchangeProtocols = kindsWithRows<exchangeProtocolRow>;

} // namespace headroom
