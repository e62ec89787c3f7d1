#pragma once

#include "model/scenario/length_distribution.h"

#include <vector>

namespace headroom {

// The shape of a distribution between its 1st and 99th percentile: share of requests in each of equally wide
// bins.
struct LengthHistogram {
    double low = 0;
    double high = 0;
    std::vector<double> shares;
};
[[nodiscard]] LengthHistogram histogramOf(const LengthDistribution& lengths, int bins);

} // namespace headroom
