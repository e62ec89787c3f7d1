#include "model/scenario/length_histogram.h"

#include <algorithm>
#include <cstddef>

namespace headroom {

LengthHistogram histogramOf(const LengthDistribution& lengths, int bins)
{
    constexpr int quantiles = 400; // as many points of the distribution as a sketch can show
    LengthHistogram out{lengths.quantile(0.01), lengths.quantile(0.99),
                        std::vector<double>(static_cast<std::size_t>(bins), 0.0)};
    const double width = (out.high - out.low) / bins;
    for (int i = 0; i < quantiles; ++i) {
        const double at = lengths.quantile(0.01 + 0.98 * (i + 0.5) / quantiles);
        const int bin
            = width > 0 ? std::clamp(static_cast<int>((at - out.low) / width), 0, bins - 1) : bins / 2;
        out.shares[static_cast<std::size_t>(bin)] += 1.0 / quantiles;
    }
    return out;
}

} // namespace headroom
