#pragma once

#include "model/units.h"

#include <cstdint>
#include <vector>

namespace headroom::serve {

// Gaps between tokens, too many to keep: counted in buckets whose bounds are 1/1024 of their octave apart, so
// that a quantile is right to 0.1 %. Mean and count are exact.
class GapHistogram {
public:
    GapHistogram();
    void add(Seconds gap, std::int64_t count);
    void add(const GapHistogram& other);

    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] Seconds mean() const;
    [[nodiscard]] Seconds quantile(double fraction) const;

private:
    std::vector<std::int64_t> m_counts;
    std::int64_t m_count = 0;
    Seconds m_sum;
};

} // namespace headroom::serve
