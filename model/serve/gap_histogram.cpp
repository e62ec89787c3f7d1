#include "model/serve/gap_histogram.h"

#include <algorithm>
#include <bit>

namespace headroom::serve {

namespace {
// A double's top bits are its exponent and then its fraction: 10 bits of the latter make 1,024 buckets an
// octave.
constexpr int droppedBits = 52 - 10;
constexpr double shortest = 0x1p-24; // 60 ns: everything below counts as no gap
constexpr double longest = 0x1p20;   // 12 days
constexpr std::uint64_t firstBucket = std::bit_cast<std::uint64_t>(shortest) >> droppedBits;
constexpr std::uint64_t lastBucket = std::bit_cast<std::uint64_t>(longest) >> droppedBits;

std::size_t bucketOf(double seconds)
{
    if (!(seconds > shortest))
        return 0;
    return static_cast<std::size_t>((std::bit_cast<std::uint64_t>(std::min(seconds, longest)) >> droppedBits)
                                    - firstBucket + 1);
}

double middleOf(std::size_t bucket)
{
    if (bucket == 0)
        return 0;
    const std::uint64_t bits = (bucket - 1 + firstBucket) << droppedBits;
    return std::bit_cast<double>(bits + (std::uint64_t{1} << (droppedBits - 1)));
}
} // namespace

GapHistogram::GapHistogram() : m_counts(lastBucket - firstBucket + 2) {}

void GapHistogram::add(Seconds gap, std::int64_t count)
{
    m_counts[bucketOf(gap.base())] += count;
    m_count += count;
    m_sum += gap * static_cast<double>(count);
}

void GapHistogram::add(const GapHistogram& other)
{
    for (std::size_t i = 0; i < m_counts.size(); ++i)
        m_counts[i] += other.m_counts[i];
    m_count += other.m_count;
    m_sum += other.m_sum;
}

Seconds GapHistogram::mean() const { return m_count == 0 ? Seconds{} : m_sum / static_cast<double>(m_count); }

Seconds GapHistogram::quantile(double fraction) const
{
    const auto rank
        = static_cast<std::int64_t>(fraction * static_cast<double>(std::max<std::int64_t>(m_count - 1, 0)));
    std::int64_t below = 0;
    for (std::size_t bucket = 0; bucket < m_counts.size(); ++bucket) {
        below += m_counts[bucket];
        if (below > rank)
            return Seconds(middleOf(bucket));
    }
    return Seconds{};
}

} // namespace headroom::serve
