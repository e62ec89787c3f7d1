#pragma once

#include "model/base/units.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom::serve {

// Gaps between tokens, too many to keep: counted in buckets whose bounds are 1/1024 of their octave apart, so
// that a quantile is right to 0.1 %. Mean and count are exact. Only octaves that have gaps take memory: a
// fleet has one of these for each replica.
class GapHistogram {
public:
    void add(Seconds gap, std::int64_t count);
    void add(const GapHistogram& other);

    [[nodiscard]] std::int64_t count() const { return m_count; }
    [[nodiscard]] Seconds mean() const;
    [[nodiscard]] Seconds quantile(double fraction) const;

private:
    std::size_t placeFor(std::size_t bucket); // in m_counts, made wider

    std::vector<std::int64_t> m_counts; // whole octaves
    std::size_t m_first = 0;            // bucket of the first count
    std::int64_t m_count = 0;
    Seconds m_sum;
};

} // namespace headroom::serve
