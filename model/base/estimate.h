#pragma once

#include "model/base/code.h"

#include <algorithm>
#include <cstdint>

namespace headroom {

// Where a figure's accuracy comes from, best first; a sum shows the worst that at least a fifth of it has.
enum class Source : std::uint8_t { Exact, MeasuredHere, MeasuredPublished, SameFamily, Prior };

constexpr Code sourceName(Source source)
{
    switch (source) {
    case Source::Exact:
        return "exact";
    case Source::MeasuredHere:
        return "measured here";
    case Source::MeasuredPublished:
        return "measured, published";
    case Source::SameFamily:
        return "same family";
    case Source::Prior:
        return "prior";
    }
    return "prior";
}

constexpr Source worse(Source a, Source b) { return std::max(a, b); }

// Standard normal quantile of 0.9: the deviations from the middle to the 90th percentile, and to the 10th.
constexpr double deviationsToNinetieth = 1.2815515655446004;

// A value with its 10th and 90th percentile.
template <typename Q>
struct Estimate {
    Q value{};
    Q low{};
    Q high{};
    Source source = Source::Exact;

    friend bool operator==(const Estimate&, const Estimate&) = default;
};

// Arithmetic with intervals. Both ends go together: what one machine does is wrong in the same direction more
// often than not.
template <typename Q>
[[nodiscard]] constexpr Estimate<Q> operator*(const Estimate<Q>& a, double factor)
{
    return {a.value * factor, a.low * factor, a.high * factor, a.source};
}
template <typename Q>
[[nodiscard]] constexpr Estimate<Q> operator/(const Estimate<Q>& a, double divisor)
{
    return {a.value / divisor, a.low / divisor, a.high / divisor, a.source};
}
template <typename Q>
[[nodiscard]] constexpr Estimate<Q> shifted(const Estimate<Q>& a, Q by)
{
    return {a.value + by, a.low + by, a.high + by, a.source};
}
template <typename Q>
[[nodiscard]] constexpr Estimate<Q> sum(const Estimate<Q>& a, const Estimate<Q>& b, double timesB = 1)
{
    return {a.value + b.value * timesB, a.low + b.low * timesB, a.high + b.high * timesB,
            worse(a.source, b.source)};
}
// Part of the way from a to b.
template <typename Q>
[[nodiscard]] constexpr Estimate<Q> between(const Estimate<Q>& a, const Estimate<Q>& b, double share)
{
    const auto mix = [share](Q x, Q y) { return (1 - share) * x + share * y; };
    return {mix(a.value, b.value), mix(a.low, b.low), mix(a.high, b.high), worse(a.source, b.source)};
}

} // namespace headroom
