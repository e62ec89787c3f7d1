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
    for (const Rank& rank : m_ranks)
        if (!rank.unseen.empty() && rank.batch.waiting().empty())
            steps = std::min(steps, m_untilLook);
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

// When the last of them starts, as far as that can be said without much ado: ranks wait for one another, and
// each step takes at least about as long as the one before, for caches only grow.
void Replica::lookAhead()
{
    if (m_togetherLeft < 2)
        return;
    if (m_ranks.size() > 1 || !m_around.roundsContext) {
        constexpr double atLeast = 0.5;
        m_notBefore = m_clock + m_lastTook * (atLeast * (m_togetherLeft - 1));
        return;
    }
    constexpr std::int32_t farthest = 256; // who comes before makes it vain
    const Scheduling& scheduling = m_ranks.front().batch.scheduling();
    StepWork work = m_ranks.front().work;
    const std::int64_t more = m_ranks.front().sequences * scheduling.beams;
    m_notBefore = m_clock;
    for (std::int32_t left = std::min(m_togetherLeft - 1, farthest); left > 0;) {
        const Seconds took = timeOfTogether(work);
        const std::int32_t alike = m_lastDecodes.alikeFor(work, more, left);
        for (std::int32_t i = 0; i < alike; ++i)
            m_notBefore += took;
        work.decodeContext += alike * more;
        left -= alike;
    }
}

// Of the only rank.
Seconds Replica::timeOfTogether(const StepWork& work)
{
    m_works.front() = work;
    return timeOf(m_works)
        + static_cast<double>(work.sampledRows) * m_ranks.front().batch.scheduling().guided.maskPerRow;
}

// Those that start before `limit`, as one after the other would be: of one rank, where nobody is to be looked
// at.
void Replica::stepTogether(Seconds limit)
{
    look(); // who has come stands behind others who wait, or the steps would not be alike
    Rank& rank = m_ranks.front();
    if (m_ranks.size() > 1 || !m_around.roundsContext || m_log.keepsSamples || !rank.unseen.empty())
        return stepTogether();
    const Scheduling& scheduling = rank.batch.scheduling();
    const std::int64_t more = rank.sequences * scheduling.beams;
    const std::int32_t before = m_togetherLeft;
    ReplicaLog::Step step{
        .after = {.running = std::ssize(rank.batch.running()), .waiting = std::ssize(rank.batch.waiting())},
        .decodes = rank.work.decodeSequences};
    while (m_togetherLeft > 0 && m_clock < limit) {
        step.took = timeOfTogether(rank.work);
        std::int32_t alike = m_lastDecodes.alikeFor(rank.work, more, m_togetherLeft);
        const std::int32_t wanted = alike;
        for (; alike > 0 && m_clock < limit; --alike) {
            const Seconds begin = m_clock;
            m_clock += step.took;
            rank.blocks += rank.blocksAt[rank.nextBlocks];
            rank.nextBlocks = rank.nextBlocks + 1 == rank.blocksAt.size() ? 0 : rank.nextBlocks + 1;
            step.after.kvTokens = rank.blocks * scheduling.pageTokens();
            m_log.add(step);
            m_log.gaps.add(m_clock - begin, rank.sequences);
            m_untilLook = (m_untilLook > 0 ? m_untilLook : scheduling.receiveInterval) - 1;
        }
        rank.work.decodeContext += (wanted - alike) * more;
        m_togetherLeft -= wanted - alike;
    }
    rank.goneWithStep = 0;
    m_lastTook = step.took;
    m_effort += before - m_togetherLeft;
    m_unsettled += before - m_togetherLeft;
    if (m_togetherLeft == 0)
        settle();
}

// One of them, after a look.
void Replica::stepTogether()
{
    countToLook(false);
    const Seconds begin = m_clock;
    std::int64_t sampledRows = 0;
    std::int64_t blocks = 0;
    std::int64_t sequences = 0;
    const Scheduling& scheduling = m_ranks.front().batch.scheduling();
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        m_works[i] = rank.work;
        sampledRows = std::max(sampledRows, rank.work.sampledRows);
        rank.goneWithStep = 0;
        rank.blocks += rank.blocksAt[rank.nextBlocks];
        rank.nextBlocks = rank.nextBlocks + 1 == rank.blocksAt.size() ? 0 : rank.nextBlocks + 1;
        blocks += rank.blocks;
        sequences += rank.sequences;
        rank.work.decodeContext += rank.sequences * scheduling.beams;
    }
    const Seconds took = timeOf(m_works) + static_cast<double>(sampledRows) * scheduling.guided.maskPerRow;
    m_clock += took;
    m_lastTook = took;
    constexpr double ofARank = 0.25;
    m_effort += 1 + ofARank * static_cast<double>(m_ranks.size() - 1);
    logStep(took, m_works, blocks);
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
