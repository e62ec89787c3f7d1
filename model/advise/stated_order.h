#pragma once

#include "model/base/estimate.h"
#include "model/search/candidate.h"

#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom {

// What decides between machines and layouts that were named: fewer GPUs was not asked for.
[[nodiscard]] Objective objectiveAmong(const Scenario& asked);

// By which figure one of two that were named is better.
enum class DecidedBy : std::uint8_t { Meets, Price, Sureness, Stream, Throughput, TokenPrice, Energy, Users };

// In documents.
[[nodiscard]] constexpr std::string_view decidedByKey(DecidedBy by)
{
    switch (by) {
    case DecidedBy::Meets:
        return "meets";
    case DecidedBy::Price:
        return "price";
    case DecidedBy::Sureness:
        return "sureness";
    case DecidedBy::Stream:
        return "speed";
    case DecidedBy::Throughput:
        return "throughput";
    case DecidedBy::TokenPrice:
        return "token_price";
    case DecidedBy::Energy:
        return "energy";
    case DecidedBy::Users:
        return "users";
    }
    return "";
}

struct StatedOrder {
    DecidedBy by = DecidedBy::Stream;
    double times = 1;           // as good as the other
    std::optional<double> sure; // that it is the better by this figure, at least; of what is no estimate none
};
[[nodiscard]] StatedOrder orderOf(const Scenario& asked, const Candidate& better, const Candidate& other);

// Probability that the first of two positive quantities is the larger: log-normal, each by its own spread,
// each wrong on its own.
template <typename Q>
[[nodiscard]] double probabilityAbove(const Estimate<Q>& larger, const Estimate<Q>& smaller)
{
    const double distance = std::log(larger.value / smaller.value);
    const double spread = distance >= 0
        ? std::hypot(std::log(larger.value / larger.low), std::log(smaller.high / smaller.value))
        : std::hypot(std::log(larger.high / larger.value), std::log(smaller.value / smaller.low));
    if (!(spread > 0))
        return distance > 0 ? 1 : distance < 0 ? 0 : 0.5;
    return 0.5 * std::erfc(-distance / (spread / deviationsToNinetieth) / std::sqrt(2.0));
}

} // namespace headroom
