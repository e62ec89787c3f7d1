// What one step of a replica does: how long it takes, and what its sequences have after it.
#include "model/base/mix_bits.h"
#include "model/serve/replica.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace headroom::serve {

// The ranks wait for one another before their experts: the one with the most to compute and the one with the
// most to read are both candidates for the slowest.
Seconds Replica::timeOf(const std::vector<StepWork>& works)
{
    const Slowest slowest = slowestOf(works);
    const Seconds computing = timeOf(slowest.together(works[slowest.computes]), m_lastDecodes);
    return slowest.reads == slowest.computes
        ? computing
        : std::max(computing, timeOf(slowest.together(works[slowest.reads]), m_lastReads));
}

Seconds Replica::timeOf(const StepWork& work, LastDecodes& last)
{
    if (!m_around.roundsContext || work.prefillTokens > 0 || work.decodeSequences == 0)
        return (*m_around.stepTime)(work);
    if (!last.alike(work))
        last.remember(work, (*m_around.stepTime)(work));
    return last.time();
}

Replica::Slowest Replica::slowestOf(const std::vector<StepWork>& works)
{
    Slowest out;
    if (works.size() == 1)
        return out;
    out.ranks = static_cast<std::int64_t>(works.size());
    for (std::size_t i = 0; i < works.size(); ++i) {
        out.tokens += works[i].tokens();
        // Of those that fill a step's budget alike: whose prompts see more tokens before them.
        const auto computed
            = [&](std::size_t rank) { return std::pair(works[rank].tokens(), works[rank].prefillPairs); };
        if (computed(i) > computed(out.computes))
            out.computes = i;
        if (works[i].decodeContext > works[out.reads].decodeContext)
            out.reads = i;
    }
    return out;
}

// Each of them looks at all that run in it, and is timed anew.
double Replica::effortOf(const std::vector<StepWork>& works)
{
    constexpr double ofOne = 5;
    constexpr double ofPrompts = 20; // their steps are like no other
    constexpr double ofARank = 2;
    constexpr double lookedAt = 8; // sequences, in the time of one step taken together
    double effort = ofOne - ofARank;
    bool prompts = false;
    for (const StepWork& work : works) {
        effort += ofARank + static_cast<double>(work.decodeSequences) / lookedAt;
        prompts = prompts || work.prefillTokens > 0;
    }
    return effort + (prompts ? ofPrompts : 0);
}

void Replica::execute()
{
    std::int64_t sampledRows = 0;
    std::int64_t movedTokens = 0;
    std::int64_t usedBlocks = 0;
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        const Rank& rank = m_ranks[i];
        m_works[i] = workOfPlan(rank);
        sampledRows = std::max(sampledRows, m_works[i].sampledRows);
        movedTokens = std::max(movedTokens, rank.plan.movedTokens);
        usedBlocks += rank.batch.pool().used();
        noteStarts(rank);
    }
    const Scheduling& scheduling = m_ranks.front().batch.scheduling();
    Seconds took;
    if (m_around.stages == nullptr) {
        took = timeOf(m_works);
    } else {
        took = m_around.stages->enter(m_clock, passOf(m_works), m_around.lane) - m_clock;
    }
    const Seconds began = m_clock;
    took = took + static_cast<double>(sampledRows) * scheduling.guided.maskPerRow
        + static_cast<double>(movedTokens) * scheduling.swapPerToken;
    m_clock += took;
    m_lastTook = took;
    m_effort += effortOf(m_works);
    logStep(took, m_works, usedBlocks);
    countToLook(std::any_of(m_ranks.begin(), m_ranks.end(),
                            [](const Rank& rank) { return !rank.plan.chunks.empty(); }));
    for (Rank& rank : m_ranks) {
        rank.ended = false;
        if (rank.plan.decodes)
            decodeAll(rank, m_clock);
        prefillChunks(rank, m_clock);
        if (sharesLine())
            sendOn(rank, began);
    }
    m_returned = m_clock;
    if (m_gapCount > 0)
        m_log.gaps.add(m_gap, std::exchange(m_gapCount, 0));
    for (Rank& rank : m_ranks)
        retire(rank, m_clock);
    if (sharesLine())
        countPass();
}

void Replica::noteStarts(const Rank& rank)
{
    for (const StepPlan::Chunk& chunk : rank.plan.chunks) {
        const Sequence& sequence = rank.batch.running()[static_cast<std::size_t>(chunk.sequence)];
        Outcome& outcome = outcomeOf(sequence.request);
        if (outcome.start.base() < 0) {
            outcome.start = m_clock;
            outcome.cachedTokens = sequence.computed;
        }
    }
}

StepWork Replica::workOfPlan(const Rank& rank)
{
    StepWork work;
    const std::vector<Sequence>& running = rank.batch.running();
    const Scheduling& scheduling = rank.batch.scheduling();
    const std::int64_t beams = scheduling.beams;
    for (const StepPlan::Chunk& chunk : rank.plan.chunks) {
        const Sequence& sequence = running[static_cast<std::size_t>(chunk.sequence)];
        work.addChunk(chunk.tokens, sequence.computed);
        work.sampledRows += sequence.computed + chunk.tokens == sequence.target ? 1 : 0;
    }
    if (!rank.plan.decodes)
        return work;
    work.decodeQueries = 1 + scheduling.speculation.draftTokens;
    if (const Decoders& decoders = rank.batch.decoders(); decoders.followed()) {
        work.decodeSequences = decoders.size();
        work.decodeContext = decoders.context();
        work.decodeSpan = decoders.span();
        work.sampledRows += decoders.size();
        return work;
    }
    std::int64_t shortest = 0;
    std::int64_t longest = 0;
    for (const Sequence& sequence : running) {
        if (!sequence.decoding)
            continue;
        const std::int64_t context = sequence.computed;
        shortest = work.decodeSequences == 0 ? context : std::min(shortest, context);
        longest = work.decodeSequences == 0 ? context : std::max(longest, context);
        work.decodeSequences += beams;
        work.decodeContext += beams * context;
        work.sampledRows += beams * work.decodeQueries;
        if (sequence.appended > 0)
            work.addChunk(beams * sequence.appended, sequence.computed);
    }
    work.decodeSpan = longest - shortest;
    return work;
}

// What is asked for of each sequence by itself, or shared with other lanes, is not the same for all.
bool Replica::mayFollow(const Scheduling& scheduling, const Surroundings& around)
{
    return scheduling.takeTogether && scheduling.beams == 1 && !scheduling.speculation.on()
        && scheduling.guided.forcedShare <= 0 && !scheduling.prefixCache && !keepsBatch(scheduling.kind)
        && around.stages == nullptr && !around.handsOver;
}

void Replica::decodeFollowed(Rank& rank, Seconds end)
{
    Decoders& decoders = rank.batch.decoders();
    for (const Decoders::Waiting& waiting : decoders.waiting())
        countGap(end - waiting.lastToken, waiting.count);
    decoders.advance(1, end);
    rank.ended = rank.ended || decoders.roundsLeft() == 0;
}

void Replica::decodeAll(Rank& rank, Seconds end)
{
    if (rank.batch.decoders().followed() && rank.batch.decoders().inOrder())
        return decodeFollowed(rank, end);
    rank.batch.settleDecoders();
    const Scheduling& scheduling = rank.batch.scheduling();
    if (!scheduling.speculation.on() && scheduling.guided.forcedShare <= 0)
        return decodeOneEach(rank, end);
    for (Sequence& sequence : rank.batch.running()) {
        if (!sequence.decoding || sequence.holdsSlotOnly)
            continue;
        const std::int32_t sampled = yieldOf(sequence);
        const std::int32_t forced = forcedAfter(sequence, sampled);
        sequence.computed += sampled + std::exchange(sequence.appended, forced);
        give(rank, sequence, std::min(sampled + forced, sequence.remaining()), end);
    }
}

// The same for what nearly every step is.
void Replica::decodeOneEach(Rank& rank, Seconds end)
{
    bool ended = false;
    for (Sequence& sequence : rank.batch.running()) {
        if (!sequence.decoding || sequence.holdsSlotOnly)
            continue;
        ++sequence.computed;
        if (sequence.generated > 0)
            countGap(end - sequence.lastToken);
        ++sequence.generated;
        sequence.lastToken = end;
        ended = ended || sequence.remaining() == 0;
    }
    rank.ended = rank.ended || ended;
}

void Replica::prefillChunks(Rank& rank, Seconds end)
{
    for (const StepPlan::Chunk& chunk : rank.plan.chunks) {
        Sequence& sequence = rank.batch.running()[static_cast<std::size_t>(chunk.sequence)];
        sequence.computed += chunk.tokens;
        rank.batch.publishPrompt(sequence);
        if (sequence.computed < sequence.target)
            continue;
        sequence.decoding = true;
        if (sequence.generated == 0)
            outcomeOf(sequence.request).firstToken = end;
        give(rank, sequence, 1, end);
        rank.batch.beginsToDecode(sequence, chunk.sequence);
    }
    if (rank.batch.scheduling().kind == SchedulerKind::Static && !rank.plan.chunks.empty())
        beginTogether(rank, end);
}

void Replica::give(Rank& rank, Sequence& sequence, std::int32_t tokens, Seconds end)
{
    if (sequence.generated > 0)
        countGap(end - sequence.lastToken);
    if (tokens > 1)
        m_log.gaps.add(Seconds{}, tokens - 1); // tokens of one step come together
    sequence.generated += tokens;
    sequence.lastToken = end;
    rank.ended = rank.ended || sequence.remaining() == 0;
}

std::int32_t Replica::yieldOf(Sequence& sequence) const
{
    const Speculation& speculation = m_ranks.front().batch.scheduling().speculation;
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
    const double share = m_ranks.front().batch.scheduling().guided.forcedShare;
    if (share <= 0)
        return 0;
    const double earned = sequence.forced + tokens * share / (1 - share);
    const double whole = std::floor(earned);
    sequence.forced = earned - whole;
    return std::min(static_cast<std::int32_t>(whole), std::max(0, sequence.remaining() - tokens));
}

} // namespace headroom::serve
