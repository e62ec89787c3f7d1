// What a replica shares with others: a pipeline's stages and cache with its other lanes, a link with the pool
// that decodes.
#include "model/serve/earliest_first.h"
#include "model/serve/replica.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace headroom::serve {

Replica::Places Replica::placesFor(const Scheduling& scheduling)
{
    Places places;
    const Scheduling one = scheduling.ofOneRank();
    for (int rank = 0; rank < scheduling.ranks; ++rank)
        places.push_back({.cache = std::make_shared<KvPool>(one.pages(), one.prefixCache),
                          .line = std::make_shared<WaitingLine>(),
                          .leaving = std::make_shared<std::vector<Leaving>>()});
    return places;
}

// Idle lanes look at once, or those of an engine with a slot of sequences for each stage not while another is
// busy: it goes round and stands before the next slot that has something to do. Who comes then waits for
// that; who is left over goes to the next (SGLang: managers/scheduler_pp_mixin.py, event_loop_pp; vLLM:
// v1/engine/core.py, step_with_batch_queue).
void Replica::joinLine(Rank& rank, const Ticket& ticket, Seconds now)
{
    WaitingLine& line = rank.batch.line();
    const bool slots = rank.batch.scheduling().kind == SchedulerKind::PrefillFirst;
    if (line.empty()) {
        line.came = now;
        line.turn.reset();
        line.offered = slots && m_around.stages->lastEnd() > now ? never : now;
    }
    line.waiting.push_back(ticket);
}

// No lane has anything to do; passes may be on their way out.
bool Replica::pipelineIdle(const WaitingLine& line) const
{
    return line.empty()
        && std::none_of(line.atWork.begin(), line.atWork.end(), [](bool busy) { return busy; });
}

// A step is to who decodes a pass of each lane that has something to do. Nobody waits for steps of an idle
// pipeline.
void Replica::comeToPipeline(Rank& rank, const Ticket& ticket, Seconds now)
{
    WaitingLine& line = rank.batch.line();
    const std::int64_t steps = stepsFor(ticket);
    const bool idle = pipelineIdle(line) && m_around.stages->lastEnd() <= now;
    if (steps == 0 || idle)
        return joinLine(rank, ticket, now);
    const auto lanes = std::count(line.atWork.begin(), line.atWork.end(), true);
    line.coming.add(ticket, line.passes + steps * std::max<std::int64_t>(lanes, 1));
}

void Replica::countPass()
{
    const bool busy
        = std::any_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) { return !rank.batch.idle(); });
    for (Rank& rank : m_ranks) {
        WaitingLine& line = rank.batch.line();
        ++line.passes;
        line.atWork.resize(std::max(line.atWork.size(), m_around.lane + 1));
        line.atWork[m_around.lane] = busy;
    }
}

// Of those who wait for passes, whom the one that begins now may take.
void Replica::letIn()
{
    for (Rank& rank : m_ranks) {
        WaitingLine& line = rank.batch.line();
        const bool idle = pipelineIdle(line) && m_around.stages->lastEnd() <= m_clock;
        line.coming.letGo(idle ? StepWait::anyStep : line.passes,
                          [&](const Ticket& ticket) { joinLine(rank, ticket, m_clock); });
    }
}

bool Replica::someoneWaits() const
{
    return std::any_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) {
        return !rank.batch.line().empty() || !rank.batch.line().coming.empty();
    });
}

// When a lane without sequences of its own may take some: when it is offered to all, or when its last pass is
// through.
Seconds Replica::looksAtLine() const
{
    Seconds looks = never;
    for (const Rank& rank : m_ranks) {
        const WaitingLine& line = rank.batch.line();
        if (!line.coming.empty() && pipelineIdle(line)) // no pass will come that it could wait for
            looks = std::min(looks, m_around.stages->lastEnd());
        if (!line.empty()) {
            if (!line.turn || *line.turn == m_around.lane)
                looks = std::min(looks, line.offered);
            if (m_returned >= line.came)
                looks = std::min(looks, m_returned);
        }
    }
    return looks;
}

// Of prompts that the pass took a part of, the rest goes with whichever pass begins next; so does who is left
// over.
void Replica::sendOn(Rank& rank, Seconds began)
{
    if (keepsBatch(rank.batch.scheduling().kind))
        return;
    WaitingLine& line = rank.batch.line();
    line.came = std::max(line.came, began);
    line.offered = began;
    // The slots of an engine that has some stand in a ring: it is the next one's turn, busy or not.
    if (rank.batch.scheduling().kind == SchedulerKind::PrefillFirst) {
        line.turn = (m_around.lane + 1) % m_around.lanes;
        if (m_around.stages->isUnderWay(*line.turn, began))
            line.offered = never;
    }
    std::vector<Sequence>& running = rank.batch.running();
    const auto ended = [](const Sequence& s) { return s.decoding || s.computed >= s.target; };
    const auto rest = std::stable_partition(running.begin(), running.end(), ended);
    std::deque<Sequence>& prompts = rank.batch.promptsUnderWay();
    for (auto prompt = running.end(); prompt != rest;) // the oldest comes to stand in front
        prompts.push_front(std::move(*--prompt));
    running.erase(rest, running.end());
}

// Every block is on its way over the link, or in the hands of the pipeline's other lanes.
void Replica::waitForRoom(Seconds delivered)
{
    assert(m_around.stages != nullptr || delivered < never);
    if (delivered < never) { // some are known to come back
        m_clock = std::max(m_clock, delivered);
        return;
    }
    constexpr Seconds atLeast(1e-3); // whoever holds them goes on meanwhile
    m_clock = std::max(m_around.stages->lastEnd(), m_clock + std::max(m_lastTook, atLeast));
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

void Replica::leave(Rank& rank, Leaving leaving)
{
    std::vector<Leaving>& all = *rank.leaving;
    const auto later = std::find_if(all.rbegin(), all.rend(),
                                    [&](const Leaving& one) { return one.time <= leaving.time; });
    all.insert(later.base(), std::move(leaving));
}

// A lane's step is worked out when it begins: for the others its sequences are in the cache until it ends.
void Replica::giveBack(Rank& rank, Sequence& sequence, Seconds end)
{
    if (!sharesLine())
        return rank.batch.release(sequence);
    rank.batch.publishSession(sequence);
    leave(rank, {.time = end, .lease = std::move(sequence.lease)});
}

void Replica::handOver(Rank& rank, Sequence& sequence, Seconds end)
{
    const Seconds begin = std::max(end, m_linkFree);
    m_linkFree = begin + static_cast<double>(sequence.computed) * m_around.handsOver->perToken;
    const Seconds arrival = m_linkFree + m_around.handsOver->latency;
    leave(rank, {.time = arrival, .lease = std::move(sequence.lease)});
    m_events.push_back({.kind = Event::Kind::Delivered, .request = sequence.request, .time = arrival});
}

void Replica::releaseDelivered(Rank& rank)
{
    std::vector<Leaving>& leaving = *rank.leaving;
    std::size_t gone = 0;
    for (; gone < leaving.size() && leaving[gone].time <= m_clock; ++gone)
        rank.batch.release(leaving[gone].lease);
    leaving.erase(leaving.begin(), leaving.begin() + static_cast<std::ptrdiff_t>(gone));
}

} // namespace headroom::serve
