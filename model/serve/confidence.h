#pragma once

#include <cstdint>
#include <optional>

namespace headroom::serve {

// How sure a measured figure is, without assuming a law of the times: everything follows from the binomial
// distribution.

// Share of the experiments in which an interval holds the true value.
constexpr double usualConfidence = 0.95;

// Ranks (from 1) of an ascending sample between which the true percentile lies. A side that so few requests
// cannot bound is empty.
struct RankInterval {
    std::optional<std::int64_t> low, high;

    friend bool operator==(const RankInterval&, const RankInterval&) = default;
};
// Of the p-th percentile (0 to 100) of `count` independent requests.
[[nodiscard]] RankInterval ranksAround(double p, std::int64_t count, double confidence = usualConfidence);

// Bounds of a true share of which `met` of `count` independent requests were seen: Clopper and Pearson's,
// which are never too narrow. 0 to 1 without requests.
struct ShareInterval {
    double low = 0;
    double high = 1;
};
[[nodiscard]] ShareInterval shareAround(std::int64_t met, std::int64_t count,
                                        double confidence = usualConfidence);

} // namespace headroom::serve
