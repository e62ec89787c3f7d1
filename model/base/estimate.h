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

} // namespace headroom
