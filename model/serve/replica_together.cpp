// Steps in which nothing changes but lengths, taken in one go: the results are those of single steps, to the
// bit.
#include "model/serve/replica.h"

#include <algorithm>
#include <cassert>
#include <limits>
#include <utility>

namespace headroom::serve {

// How many steps of this rank are alike from now on: all of them when nothing is inside.
std::int32_t Replica::alikeSteps(const Rank& rank)
{
    std::int32_t steps = std::numeric_limits<std::int32_t>::max();
    if (!rank.plan.chunks.empty() || !rank.plan.preempted.empty() || rank.plan.movedTokens > 0 || rank.ended)
        return 0;
    if (const Decoders& decoders = rank.batch.decoders(); decoders.followed()) {
        if (!decoders.prompts().empty())
            return 0;
        steps = static_cast<std::int32_t>(std::min<std::int64_t>(steps, decoders.roundsLeft()));
    } else {
        for (const Sequence& sequence : rank.batch.running()) {
            if (!sequence.holdsSlotOnly)
                steps = std::min(steps, sequence.remaining());
            if (steps < 2)
                break;
        }
    }
    if (steps < 2)
        return steps; // no two
    while (steps > 0 && !rank.batch.haveRoomFor(steps))
        steps /= 2;
    return steps;
}

// After a step of decodes alone the next ones are alike until a sequence ends, blocks run out, or someone
// arrives while nobody waits (whoever waits already could not be admitted, and decoding makes no room; only
// after preempting or swapping in was admission not even tried).
void Replica::planTogether()
{
    const Scheduling& scheduling = m_ranks.front().batch.scheduling();
    if (m_around.stages != nullptr || m_around.handsOver || scheduling.speculation.on()
        || scheduling.guided.forcedShare > 0)
        return;
    std::int32_t steps = std::numeric_limits<std::int32_t>::max();
    bool anyRunning = false;
    for (const Rank& rank : m_ranks) {
        if (!rank.batch.waiting().empty())
            continue;
        if (!rank.unseen.empty())
            steps = std::min(steps, m_untilLook + static_cast<std::int32_t>(m_around.stepsToPass));
        if (const StepWait& coming = rank.batch.line().coming; !coming.empty())
            steps = static_cast<std::int32_t>(std::min<std::int64_t>(steps, coming.first() - m_log.steps));
    }
    for (const Rank& rank : m_ranks) {
        if (steps < 2)
            return;
        anyRunning = anyRunning || !rank.batch.running().empty();
        if (!rank.batch.running().empty() || rank.ended || !rank.batch.waiting().empty())
            steps = std::min(steps, alikeSteps(rank));
    }
    if (!anyRunning || steps < 2)
        return;
    m_togetherLeft = steps;
    for (Rank& rank : m_ranks) {
        const std::vector<Sequence>& running = rank.batch.running();
        rank.sequences = rank.batch.decoders().followed()
            ? rank.batch.decoders().size()
            : std::count_if(running.begin(), running.end(),
                            [](const Sequence& sequence) { return !sequence.holdsSlotOnly; });
        rank.work = workOfPlan(rank);
        rank.nextBlocks = 0;
        rank.blocks = rank.batch.pool().used();
        rank.batch.countNewBlocks(rank.blocksAt, steps);
    }
    lookAhead();
}

// Works out a time before which the last of the steps taken together does not start: `earliestEnd()`.
void Replica::lookAhead()
{
    if (m_togetherLeft < 2)
        return;
    if (!m_around.roundsContext) { // each takes at least about as long as the one before: caches only grow
        constexpr double atLeast = 0.5;
        m_notBefore = m_clock + m_lastTook * (atLeast * (m_togetherLeft - 1));
        return;
    }
    constexpr std::int32_t farthest = 256; // steps: an arrival before the last makes the rest useless
    for (std::size_t i = 0; i < m_ranks.size(); ++i)
        m_works[i] = m_ranks[i].work;
    m_notBefore = m_clock;
    for (std::int32_t left = std::min(m_togetherLeft - 1, farthest); left > 0;) {
        const Pace pace = paceOfTogether(left);
        for (std::int32_t i = 0; i < pace.steps; ++i)
            m_notBefore += pace.took;
        for (std::size_t i = 0; i < m_ranks.size(); ++i)
            m_works[i].decodeContext += pace.steps * m_ranks[i].grows();
        left -= pace.steps;
    }
}

// How long a step of `m_works` takes, and how many steps in a row (`most` at most) take exactly as long while
// the caches grow.
Replica::Pace Replica::paceOfTogether(std::int32_t most)
{
    std::int64_t sampledRows = 0;
    for (const StepWork& work : m_works)
        sampledRows = std::max(sampledRows, work.sampledRows);
    Pace pace{.took = timeOf(m_works)
                  + static_cast<double>(sampledRows) * m_ranks.front().batch.scheduling().guided.maskPerRow,
              .steps = most};
    const Slowest slowest = slowestOf(m_works);
    const auto isAlike = [&](const LastDecodes& last, std::size_t rank) {
        pace.steps = last.alikeFor(slowest.together(m_works[rank]), m_ranks[rank].grows(), pace.steps);
    };
    isAlike(m_lastDecodes, slowest.computes);
    if (slowest.reads != slowest.computes)
        isAlike(m_lastReads, slowest.reads);
    for (std::size_t i = 0; i < m_ranks.size(); ++i) { // until another reads more
        const std::int64_t faster = m_ranks[i].grows() - m_ranks[slowest.reads].grows();
        const std::int64_t ahead
            = m_works[slowest.reads].decodeContext - m_works[i].decodeContext - (i < slowest.reads ? 1 : 0);
        if (faster > 0)
            pace.steps = static_cast<std::int32_t>(std::min<std::int64_t>(pace.steps, ahead / faster + 1));
    }
    return pace;
}

// Those that start before `limit`, as one after the other would be, where nobody is to be looked at.
void Replica::stepTogether(Seconds limit)
{
    look(); // who has come stands behind others who wait, or the steps would not be alike
    const bool unseen
        = std::any_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) { return !rank.unseen.empty(); });
    if (!m_around.roundsContext || m_log.keepsSamples || unseen)
        return stepTogether();
    const Scheduling& scheduling = m_ranks.front().batch.scheduling();
    const std::int32_t before = m_togetherLeft;
    std::int64_t sequences = 0;
    ReplicaLog::Step step;
    for (Rank& rank : m_ranks) {
        rank.goneWithStep = 0;
        sequences += rank.sequences;
        step.decodes += rank.work.decodeSequences;
        step.after.running += std::ssize(rank.batch.running());
        step.after.waiting += std::ssize(rank.batch.waiting());
    }
    while (m_togetherLeft > 0 && m_clock < limit) {
        for (std::size_t i = 0; i < m_ranks.size(); ++i)
            m_works[i] = m_ranks[i].work;
        const Pace pace = paceOfTogether(m_togetherLeft);
        step.took = pace.took;
        std::int32_t done = 0;
        for (; done < pace.steps && m_clock < limit; ++done) {
            const Seconds begin = m_clock;
            m_clock += step.took;
            step.after.kvTokens = takeNextBlocks() * scheduling.pageTokens();
            m_log.add(step);
            m_log.gaps.add(m_clock - begin, sequences);
            m_untilLook = (m_untilLook > 0 ? m_untilLook : scheduling.receiveInterval) - 1;
        }
        for (Rank& rank : m_ranks)
            rank.work.decodeContext += done * rank.grows();
        m_togetherLeft -= done;
    }
    m_lastTook = step.took;
    m_effort += effortOfTogether() * (before - m_togetherLeft);
    m_unsettled += before - m_togetherLeft;
    if (m_togetherLeft == 0)
        settle();
}

// Takes the blocks of the next of the steps taken together; returns how many are held after it.
std::int64_t Replica::takeNextBlocks()
{
    std::int64_t blocks = 0;
    for (Rank& rank : m_ranks) {
        rank.blocks += rank.blocksAt[rank.nextBlocks];
        rank.nextBlocks = rank.nextBlocks + 1 == rank.blocksAt.size() ? 0 : rank.nextBlocks + 1;
        blocks += rank.blocks;
    }
    return blocks;
}

double Replica::effortOfTogether() const
{
    constexpr double ofARank = 0.25;
    return 1 + ofARank * static_cast<double>(m_ranks.size() - 1);
}

// One of them, after a look.
void Replica::stepTogether()
{
    countToLook(false);
    const Seconds begin = m_clock;
    std::int64_t sampledRows = 0;
    std::int64_t sequences = 0;
    const Scheduling& scheduling = m_ranks.front().batch.scheduling();
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        m_works[i] = rank.work;
        sampledRows = std::max(sampledRows, rank.work.sampledRows);
        rank.goneWithStep = 0;
        sequences += rank.sequences;
        rank.work.decodeContext += rank.grows();
    }
    const Seconds took = timeOf(m_works) + static_cast<double>(sampledRows) * scheduling.guided.maskPerRow;
    m_clock += took;
    m_lastTook = took;
    m_effort += effortOfTogether();
    logStep(took, m_works, takeNextBlocks());
    m_log.gaps.add(m_clock - begin, sequences);
    ++m_unsettled;
    if (--m_togetherLeft == 0)
        settle();
}

void Replica::settle()
{
    const std::int32_t steps = std::exchange(m_unsettled, 0);
    if (steps == 0)
        return;
    for (Rank& rank : m_ranks)
        settle(rank, steps);
}

void Replica::settle(Rank& rank, std::int32_t steps)
{
    rank.ended = false;
    if (rank.batch.decoders().followed()) {
        rank.batch.advanceDecoders(steps, m_clock);
        rank.ended = rank.batch.decoders().roundsLeft() == 0;
        return retire(rank, m_clock);
    }
    for (Sequence& sequence : rank.batch.running()) {
        if (sequence.holdsSlotOnly)
            continue;
        const bool reserved = rank.batch.reserve(sequence, sequence.computed + steps);
        assert(reserved);
        static_cast<void>(reserved);
        sequence.computed += steps;
        sequence.generated += steps;
        sequence.lastToken = m_clock;
        rank.ended = rank.ended || sequence.remaining() == 0;
    }
    retire(rank, m_clock);
}

// A batch that is kept answers when all its prompts are computed, however many steps they take.
void Replica::beginTogether(Rank& rank, Seconds end)
{
    std::vector<Sequence>& running = rank.batch.running();
    if (!std::all_of(running.begin(), running.end(),
                     [](const Sequence& sequence) { return sequence.decoding; }))
        return;
    for (Sequence& sequence : running)
        if (sequence.generated == 1 && !sequence.holdsSlotOnly) // whose whole answer it was has it
            outcomeOf(sequence.request).firstToken = sequence.lastToken = end;
}

} // namespace headroom::serve
