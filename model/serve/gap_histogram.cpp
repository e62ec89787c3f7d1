#include "model/serve/gap_histogram.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace headroom::serve {

namespace {
// A double's top bits are its exponent and then its fraction: 10 bits of the latter make 1,024 buckets an
// octave.
constexpr int droppedBits = 52 - 10;
constexpr std::size_t perOctave = 1024;
constexpr double shortest = 0x1p-24; // 60 ns: everything below counts as no gap
constexpr double longest = 0x1p20;   // 12 days
constexpr std::uint64_t firstBucket = std::bit_cast<std::uint64_t>(shortest) >> droppedBits;

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

std::size_t GapHistogram::placeFor(std::size_t bucket)
{
    const std::size_t octave = bucket / perOctave * perOctave;
    const std::size_t first = m_counts.empty() ? octave : std::min(m_first, octave);
    const std::size_t end = std::max(m_first + m_counts.size(), octave + perOctave);
    std::vector<std::int64_t> wider(end - first);
    std::copy(m_counts.begin(), m_counts.end(),
              wider.begin() + static_cast<std::ptrdiff_t>(m_counts.empty() ? 0 : m_first - first));
    m_counts = std::move(wider);
    m_first = first;
    return bucket - m_first;
}

void GapHistogram::add(Seconds gap, std::int64_t count)
{
    const std::size_t bucket = bucketOf(gap.base());
    std::size_t place = bucket - m_first;
    if (place >= m_counts.size()) // below the first it wraps around, beyond the last too
        place = placeFor(bucket);
    m_counts[place] += count;
    m_count += count;
    m_sum += gap * static_cast<double>(count);
}

void GapHistogram::add(const GapHistogram& other)
{
    if (!other.m_counts.empty()) {
        for (const std::size_t bucket : {other.m_first, other.m_first + other.m_counts.size() - 1})
            if (bucket - m_first >= m_counts.size())
                placeFor(bucket);
        for (std::size_t i = 0; i < other.m_counts.size(); ++i)
            m_counts[other.m_first - m_first + i] += other.m_counts[i];
    }
    m_count += other.m_count;
    m_sum += other.m_sum;
}

Seconds GapHistogram::mean() const { return m_count == 0 ? Seconds{} : m_sum / static_cast<double>(m_count); }

Seconds GapHistogram::quantile(double fraction) const
{
    const auto rank
        = static_cast<std::int64_t>(fraction * static_cast<double>(std::max<std::int64_t>(m_count - 1, 0)));
    std::int64_t below = 0;
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        below += m_counts[i];
        if (below > rank)
            return Seconds(middleOf(m_first + i));
    }
    return Seconds{};
}

} // namespace headroom::serve
