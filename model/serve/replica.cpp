#include "model/serve/replica.h"

#include "model/serve/mix_bits.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom::serve {

namespace {
constexpr Seconds never{std::numeric_limits<double>::infinity()};
}

Replica::Replica(const Scheduling& scheduling, const Surroundings& surroundings)
    : m_around(surroundings), m_batch(scheduling, *surroundings.workload)
{}

bool Replica::enqueue(const Ticket& ticket, Seconds now)
{
    const auto& request = m_around.workload->requests[static_cast<std::size_t>(ticket.request)];
    if (!m_batch.couldEverRun(request)) {
        outcomeOf(ticket.request).state = Outcome::State::Refused;
        outcomeOf(ticket.request).end = now;
        return false;
    }
    if (m_batch.waiting().empty())
        m_togetherLeft = 0; // the next step may admit it
    if (m_batch.empty())
        m_clock = std::max(m_clock, now);
    m_batch.waiting().push_back(ticket);
    return true;
}

Seconds Replica::nextStart() const { return m_batch.empty() ? never : m_clock; }

std::int64_t Replica::outstanding(Seconds now) const
{
    const std::size_t inside = m_batch.running().size() + m_batch.waiting().size() + m_batch.swapped().size();
    return static_cast<std::int64_t>(inside) + (m_clock > now ? m_goneWithStep : 0);
}

std::int64_t Replica::cachedPrefix(std::int32_t request)
{
    settle();
    return m_batch.cachedPrefix(request);
}

void Replica::runUntil(Seconds limit, bool stopAtEvents)
{
    while (m_clock < limit && !m_batch.empty()) {
        if (m_togetherLeft > 0)
            stepTogether();
        else
            step();
        if (stopAtEvents && !m_events.empty())
            return;
    }
}

void Replica::step()
{
    settle();
    releaseDelivered();
    planStep(m_batch, m_plan);
    for (const std::int32_t request : m_plan.preempted)
        ++outcomeOf(request).preemptions;
    m_log.preemptions += static_cast<std::int64_t>(m_plan.preempted.size());
    if (m_plan.idle()) { // every block is on its way over the link
        assert(!m_leaving.empty());
        m_clock = std::max(m_clock, m_leaving.front().time);
        return;
    }
    execute();
    if (m_batch.scheduling().takeTogether)
        planTogether();
}

void Replica::execute()
{
    const StepWork work = workOfPlan();
    const Scheduling& scheduling = m_batch.scheduling();
    const Seconds took = (*m_around.stepTime)(work)
        + static_cast<double>(work.sampledRows) * scheduling.guided.maskPerRow
        + static_cast<double>(m_plan.movedTokens) * scheduling.swapPerToken;
    for (const StepPlan::Chunk& chunk : m_plan.chunks) {
        const Sequence& sequence = m_batch.running()[static_cast<std::size_t>(chunk.sequence)];
        Outcome& outcome = outcomeOf(sequence.request);
        if (outcome.start.base() < 0) {
            outcome.start = m_clock;
            outcome.cachedTokens = sequence.computed;
        }
    }
    m_clock += took;
    logStep(took, work, m_batch.pool().used());
    m_ended = false;
    if (m_plan.decodes)
        decodeAll(m_clock);
    prefillChunks(m_clock);
    if (m_gapCount > 0)
        m_log.gaps.add(m_gap, std::exchange(m_gapCount, 0));
    retire(m_clock);
}

StepWork Replica::workOfPlan()
{
    StepWork work;
    std::vector<Sequence>& running = m_batch.running();
    const std::int64_t beams = m_batch.scheduling().beams;
    for (const StepPlan::Chunk& chunk : m_plan.chunks) {
        const Sequence& sequence = running[static_cast<std::size_t>(chunk.sequence)];
        work.addChunk(chunk.tokens, sequence.computed);
        work.sampledRows += sequence.computed + chunk.tokens == sequence.target ? 1 : 0;
    }
    if (!m_plan.decodes)
        return work;
    work.decodeQueries = 1 + m_batch.scheduling().speculation.draftTokens;
    for (const Sequence& sequence : running) {
        if (!sequence.decoding)
            continue;
        work.decodeSequences += beams;
        work.decodeContext += beams * sequence.computed;
        work.sampledRows += beams * work.decodeQueries;
        if (sequence.appended > 0)
            work.addChunk(beams * sequence.appended, sequence.computed);
    }
    return work;
}

void Replica::decodeAll(Seconds end)
{
    for (Sequence& sequence : m_batch.running()) {
        if (!sequence.decoding || sequence.holdsSlotOnly)
            continue;
        const std::int32_t sampled = yieldOf(sequence);
        const std::int32_t forced = forcedAfter(sequence, sampled);
        sequence.computed += sampled + std::exchange(sequence.appended, forced);
        give(sequence, std::min(sampled + forced, sequence.remaining()), end);
    }
}

void Replica::prefillChunks(Seconds end)
{
    for (const StepPlan::Chunk& chunk : m_plan.chunks) {
        Sequence& sequence = m_batch.running()[static_cast<std::size_t>(chunk.sequence)];
        sequence.computed += chunk.tokens;
        m_batch.publishPrompt(sequence);
        if (sequence.computed < sequence.target)
            continue;
        sequence.decoding = true;
        if (sequence.generated == 0)
            outcomeOf(sequence.request).firstToken = end;
        give(sequence, 1, end);
    }
}

void Replica::give(Sequence& sequence, std::int32_t tokens, Seconds end)
{
    if (sequence.generated > 0)
        countGap(end - sequence.lastToken);
    if (tokens > 1)
        m_log.gaps.add(Seconds{}, tokens - 1); // tokens of one step come together
    sequence.generated += tokens;
    sequence.lastToken = end;
    m_ended = m_ended || sequence.remaining() == 0;
}

// Equal gaps in a row are added at once, so that steps taken together sum up to the same bits as single ones.
void Replica::countGap(Seconds gap)
{
    if (gap != m_gap && m_gapCount > 0)
        m_log.gaps.add(m_gap, std::exchange(m_gapCount, 0));
    m_gap = gap;
    ++m_gapCount;
}

std::int32_t Replica::yieldOf(Sequence& sequence) const
{
    const Speculation& speculation = m_batch.scheduling().speculation;
    if (!speculation.on())
        return 1;
    if (!speculation.sampled) {
        const double earned = speculation.meanYield() + sequence.speculated;
        const double whole = std::floor(earned);
        sequence.speculated = earned - whole;
        return std::min(static_cast<std::int32_t>(whole), sequence.remaining());
    }
    // Counted draws: the same request accepts the same tokens whatever else is running.
    const std::uint64_t place = (static_cast<std::uint64_t>(sequence.request) << 32U)
        + static_cast<std::uint64_t>(sequence.generated);
    const double draw = unitInterval(mixBits(mixBits(m_around.seed) ^ place));
    std::int32_t yield = 1;
    for (double chance = speculation.acceptance; yield <= speculation.draftTokens && draw < chance;
         chance *= speculation.acceptance)
        ++yield;
    return std::min(yield, sequence.remaining());
}

// For each sampled token a grammar appends share / (1 - share) more, so that `share` of all is forced.
std::int32_t Replica::forcedAfter(Sequence& sequence, std::int32_t tokens) const
{
    const double share = m_batch.scheduling().guided.forcedShare;
    if (share <= 0)
        return 0;
    const double earned = sequence.forced + tokens * share / (1 - share);
    const double whole = std::floor(earned);
    sequence.forced = earned - whole;
    return std::min(static_cast<std::int32_t>(whole), std::max(0, sequence.remaining() - tokens));
}

// Takes out what ended with this step and what leaves for another replica.
void Replica::retire(Seconds end)
{
    std::vector<Sequence>& running = m_batch.running();
    const bool handsOver = m_around.handsOver.has_value();
    m_goneWithStep = 0;
    if (!m_ended && !handsOver)
        return;
    const bool waitsForLongest = m_batch.scheduling().kind == SchedulerKind::Static;
    bool allEnded = true;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < running.size(); ++i) {
        Sequence& sequence = running[i];
        const bool ended = sequence.remaining() == 0;
        if (ended && !sequence.holdsSlotOnly) {
            Outcome& outcome = outcomeOf(sequence.request);
            outcome.end = end;
            outcome.replica = m_around.index;
            outcome.state = Outcome::State::Done;
            m_events.push_back({.kind = Event::Kind::Finished, .request = sequence.request, .time = end});
        }
        allEnded = allEnded && ended;
        if (ended && waitsForLongest)
            sequence.holdsSlotOnly = true;
        else if (ended)
            m_batch.release(sequence);
        else if (handsOver && sequence.generated > 0)
            handOver(sequence, end);
        if ((ended && !waitsForLongest) || (handsOver && sequence.generated > 0)) {
            ++m_goneWithStep;
            continue;
        }
        if (kept != i)
            running[kept] = std::move(sequence);
        ++kept;
    }
    running.resize(kept);
    if (waitsForLongest && allEnded) {
        m_goneWithStep = static_cast<std::int64_t>(running.size());
        for (Sequence& sequence : running)
            m_batch.release(sequence);
        running.clear();
    }
}

void Replica::handOver(Sequence& sequence, Seconds end)
{
    const Seconds begin = std::max(end, m_linkFree);
    m_linkFree = begin + static_cast<double>(sequence.computed) * m_around.handsOver->perToken;
    const Seconds arrival = m_linkFree + m_around.handsOver->latency;
    m_leaving.push_back({.time = arrival, .lease = std::move(sequence.lease)});
    m_events.push_back({.kind = Event::Kind::Delivered, .request = sequence.request, .time = arrival});
}

void Replica::releaseDelivered()
{
    std::size_t gone = 0;
    for (; gone < m_leaving.size() && m_leaving[gone].time <= m_clock; ++gone)
        m_batch.release(m_leaving[gone].lease);
    m_leaving.erase(m_leaving.begin(), m_leaving.begin() + static_cast<std::ptrdiff_t>(gone));
}

// After a step of decodes alone the next ones are alike until a sequence ends, blocks run out, or someone
// arrives while nobody waits (whoever waits already could not be admitted, and decoding makes no room; only
// after preempting or swapping in was admission not even tried).
void Replica::planTogether()
{
    const Scheduling& scheduling = m_batch.scheduling();
    std::vector<Sequence>& running = m_batch.running();
    if (!m_plan.chunks.empty() || !m_plan.preempted.empty() || m_plan.movedTokens > 0 || m_ended
        || running.empty() || m_around.handsOver || scheduling.speculation.on()
        || scheduling.guided.forcedShare > 0)
        return;
    std::int32_t steps = std::numeric_limits<std::int32_t>::max();
    m_togetherSequences = 0;
    for (const Sequence& sequence : running) {
        if (sequence.holdsSlotOnly)
            continue;
        steps = std::min(steps, sequence.remaining());
        ++m_togetherSequences;
    }
    while (steps > 0 && m_batch.blocksForSteps(steps) > m_batch.pool().free())
        steps /= 2;
    if (steps < 2)
        return;
    m_togetherLeft = steps;
    m_togetherWork = workOfPlan();
    m_togetherStep = 0;
    m_togetherBlocks = m_batch.pool().used();
    m_batch.countNewBlocks(m_blocksAt, steps);
}

void Replica::stepTogether()
{
    const Seconds begin = m_clock;
    const Seconds took = (*m_around.stepTime)(m_togetherWork)
        + static_cast<double>(m_togetherWork.sampledRows) * m_batch.scheduling().guided.maskPerRow;
    m_clock += took;
    m_goneWithStep = 0;
    m_togetherBlocks += m_blocksAt[m_togetherStep];
    m_togetherStep = m_togetherStep + 1 == m_blocksAt.size() ? 0 : m_togetherStep + 1;
    logStep(took, m_togetherWork, m_togetherBlocks);
    m_log.gaps.add(m_clock - begin, m_togetherSequences);
    m_togetherWork.decodeContext += m_togetherSequences * m_batch.scheduling().beams;
    ++m_unsettled;
    if (--m_togetherLeft == 0)
        settle();
}

void Replica::settle()
{
    const std::int32_t steps = std::exchange(m_unsettled, 0);
    if (steps == 0)
        return;
    m_ended = false;
    for (Sequence& sequence : m_batch.running()) {
        if (sequence.holdsSlotOnly)
            continue;
        const bool reserved = m_batch.reserve(sequence, sequence.computed + steps);
        assert(reserved);
        static_cast<void>(reserved);
        sequence.computed += steps;
        sequence.generated += steps;
        sequence.lastToken = m_clock;
        m_ended = m_ended || sequence.remaining() == 0;
    }
    retire(m_clock);
}

void Replica::logStep(Seconds took, const StepWork& work, std::int64_t usedBlocks)
{
    m_log.add({.took = took,
               .after = {.time = m_clock,
                         .running = static_cast<std::int64_t>(m_batch.running().size()),
                         .waiting = static_cast<std::int64_t>(m_batch.waiting().size()),
                         .kvTokens = usedBlocks * m_batch.scheduling().pageTokens()},
               .prefillTokens = work.prefillTokens,
               .decodes = work.decodeSequences});
}

} // namespace headroom::serve
