// What a replica shares with others: a pipeline's stages and cache with its other lanes, a link with the pool
// that decodes.
#include "model/serve/earliest_first.h"
#include "model/serve/replica.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace headroom::serve {

Replica::Caches Replica::cachesFor(const Scheduling& scheduling)
{
    Caches caches;
    const Scheduling one = scheduling.ofOneRank();
    for (int rank = 0; rank < scheduling.ranks; ++rank)
        caches.push_back(std::make_shared<KvPool>(one.pages(), one.prefixCache));
    return caches;
}

// Every block is on its way over the link, or in the hands of the pipeline's other lanes.
void Replica::waitForRoom(Seconds delivered)
{
    const bool lane = m_around.stages != nullptr;
    assert(lane || delivered < never);
    if (delivered < never)
        m_clock = std::max(m_clock, delivered);
    if (lane) {
        constexpr Seconds atLeast(1e-3); // whoever holds them goes on meanwhile
        m_clock = std::max(m_around.stages->lastEnd(), m_clock + std::max(m_lastTook, atLeast));
    }
}

// A prompt's next part may follow the one before it through the stages of a pipeline: it needs nothing of
// what comes out at their end.
bool Replica::onlyMiddleOfPrompts() const
{
    return std::all_of(m_works.begin(), m_works.end(), [](const StepWork& work) {
        return work.decodeSequences == 0 && work.sampledRows == 0;
    });
}

StagePass Replica::passOf(const std::vector<StepWork>& works)
{
    if (works.size() == 1)
        return (*m_around.passTime)(works.front());
    std::int64_t tokens = 0;
    for (const StepWork& work : works)
        tokens += work.tokens();
    StagePass slowest;
    for (StepWork work : works) {
        work.ranks = static_cast<std::int64_t>(works.size());
        work.allTokens = tokens;
        const StagePass& pass = (*m_around.passTime)(work);
        if (slowest.kindCount == 0 || pass.latency() > slowest.latency())
            slowest = pass;
    }
    return slowest;
}

void Replica::handOver(Rank& rank, Sequence& sequence, Seconds end)
{
    const Seconds begin = std::max(end, m_linkFree);
    m_linkFree = begin + static_cast<double>(sequence.computed) * m_around.handsOver->perToken;
    const Seconds arrival = m_linkFree + m_around.handsOver->latency;
    rank.leaving.push_back({.time = arrival, .lease = std::move(sequence.lease)});
    m_events.push_back({.kind = Event::Kind::Delivered, .request = sequence.request, .time = arrival});
}

void Replica::releaseDelivered(Rank& rank)
{
    std::size_t gone = 0;
    for (; gone < rank.leaving.size() && rank.leaving[gone].time <= m_clock; ++gone)
        rank.batch.release(rank.leaving[gone].lease);
    rank.leaving.erase(rank.leaving.begin(), rank.leaving.begin() + static_cast<std::ptrdiff_t>(gone));
}

} // namespace headroom::serve
