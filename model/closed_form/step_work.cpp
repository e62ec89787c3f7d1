#include "model/closed_form/step_work.h"

#include "model/base/mix_bits.h"

#include <utility>

namespace headroom::serve {

std::size_t memoPlace(const StepWork& work)
{
    std::uint64_t hash = 0;
    for (const std::int64_t part :
         {work.prefillTokens, work.prefillSequences, work.prefillPairs, work.decodeSequences,
          work.decodeQueries, work.decodeContext, work.decodeSpan, work.sampledRows, work.allTokens})
        hash = (hash ^ static_cast<std::uint64_t>(part)) * 0x9E3779B97F4A7C15U;
    return static_cast<std::size_t>(mixBits(hash) % memoEntries);
}

StepShape shapeOf(const StepWork& work)
{
    StepShape shape;
    const auto real = [](std::int64_t count) { return static_cast<double>(count); };
    // A cost model spreads what it is given evenly over the ranks: each is as busy as the busiest.
    shape.prefillTokens = real(work.ranks * work.prefillTokens);
    shape.prefillSequences = real(work.ranks * work.prefillSequences);
    shape.allTokens = real(work.allTokens);
    if (work.prefillTokens > 0)
        shape.prefillPast = real(work.ranks * work.prefillPairs) / (2 * shape.prefillTokens)
            - shape.prefillTokens / (2 * shape.prefillSequences);
    shape.decodeSequences = real(work.ranks * work.decodeSequences);
    shape.decodeQueries = real(work.decodeQueries);
    if (work.decodeSequences > 0)
        shape.decodeContext = meanContext(work);
    shape.decodeSpan = real(work.decodeSpan);
    shape.sampledRows = real(work.ranks * work.sampledRows);
    return shape;
}

StepMemo::StepMemo(StepTime stepTime) : m_stepTime(std::move(stepTime)), m_entries(memoEntries) {}

Seconds StepMemo::operator()(const StepWork& work)
{
    if (work.prefillTokens == 0) // alike to many, but seldom the same: who times them remembers better
        return m_stepTime(shapeOf(work));
    Entry& entry = m_entries[memoPlace(work)];
    if (entry.time.base() < 0 || entry.work != work)
        entry = {.work = work, .time = m_stepTime(shapeOf(work))};
    return entry.time;
}

} // namespace headroom::serve
