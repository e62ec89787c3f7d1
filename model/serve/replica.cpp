#include "model/serve/replica.h"

#include "model/base/mix_bits.h"
#include "model/serve/earliest_first.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom::serve {

Replica::Replica(const Scheduling& scheduling, const Surroundings& surroundings, const Places& places)
    : m_around(surroundings)
{
    for (const Place& place : places)
        m_ranks.push_back(
            Rank{.batch = Batch(scheduling.ofOneRank(), *surroundings.workload, place.cache, place.line)});
    m_works.resize(m_ranks.size());
}

// Engines hand a request to the rank with the fewest; who follows prefixes goes where most of it is cached.
Replica::Rank& Replica::choose(std::int32_t request)
{
    Rank* best = &m_ranks.front();
    std::int64_t longest = m_around.followsPrefixes ? best->batch.cachedPrefix(request) : 0;
    for (std::size_t i = 1; i < m_ranks.size(); ++i) {
        Rank& rank = m_ranks[i];
        const std::int64_t cached = m_around.followsPrefixes ? rank.batch.cachedPrefix(request) : 0;
        if (cached > longest || (cached == longest && rank.inside() < best->inside())) {
            best = &rank;
            longest = cached;
        }
    }
    return *best;
}

bool Replica::empty() const
{
    return std::all_of(m_ranks.begin(), m_ranks.end(),
                       [](const Rank& rank) { return rank.batch.empty() && rank.unseen.empty(); });
}

// What has arrived is seen where its time has come, or where there is nothing else to do.
void Replica::look()
{
    const auto idle = [](const Rank& rank) { return rank.batch.empty(); };
    if (m_untilLook > 0 && !std::all_of(m_ranks.begin(), m_ranks.end(), idle))
        return;
    m_untilLook = m_ranks.front().batch.scheduling().receiveInterval;
    if (waitsForOtherRanks())
        return;
    for (Rank& rank : m_ranks) {
        for (const Ticket& ticket : rank.unseen)
            rank.batch.waiting().push_back(ticket);
        rank.unseen.clear();
    }
}

// A prompt of one rank makes all of them wait, so engines let the ranks begin theirs in the same step.
bool Replica::waitsForOtherRanks()
{
    const std::int64_t most = m_ranks.front().batch.scheduling().balanceSteps;
    const auto has = [](const Rank& rank) { return !rank.unseen.empty(); };
    if (most == 0 || m_ranks.size() == 1 || std::none_of(m_ranks.begin(), m_ranks.end(), has))
        return false;
    const bool everywhere = std::all_of(m_ranks.begin(), m_ranks.end(), has);
    const bool someoneIdle = std::any_of(m_ranks.begin(), m_ranks.end(),
                                         [](const Rank& rank) { return rank.batch.running().empty(); });
    if (everywhere || someoneIdle || ++m_heldPrompts >= most) {
        m_heldPrompts = 0;
        return false;
    }
    return true;
}

void Replica::countToLook(bool prompts) { m_untilLook = prompts ? 0 : m_untilLook - 1; }

bool Replica::enqueue(const Ticket& ticket, Seconds now)
{
    const auto& request = m_around.workload->requests[static_cast<std::size_t>(ticket.request)];
    if (m_around.followsPrefixes && m_ranks.size() > 1)
        settle();
    Rank& rank = m_ranks.size() > 1 ? choose(ticket.request) : m_ranks.front();
    if (!rank.batch.couldEverRun(request)) {
        outcomeOf(ticket.request).state = Outcome::State::Refused;
        outcomeOf(ticket.request).end = now;
        return false;
    }
    if (rank.batch.waiting().empty()) // the step that sees it may admit it
        m_togetherLeft = std::min(m_togetherLeft, std::max(m_untilLook, 0));
    if (empty())
        m_clock = std::max(m_clock, now);
    if (sharesLine()) {
        joinLine(rank, ticket, now);
        return true;
    }
    rank.unseen.push_back(ticket);
    return true;
}

Seconds Replica::nextStart() const
{
    if (empty())
        return never;
    const auto idle = [](const Rank& rank) { return rank.batch.idle(); };
    if (!sharesLine() || !std::all_of(m_ranks.begin(), m_ranks.end(), idle))
        return m_clock;
    return std::max(m_clock, looksAtLine());
}

std::int64_t Replica::outstanding(Seconds now) const
{
    std::int64_t inside = 0;
    for (const Rank& rank : m_ranks) {
        inside += rank.inside() + (m_clock > now ? rank.goneWithStep : 0);
        if (!m_around.firstLane)
            inside -= rank.inLine();
    }
    return inside;
}

std::int64_t Replica::cachedPrefix(std::int32_t request)
{
    settle();
    std::int64_t longest = 0;
    for (const Rank& rank : m_ranks)
        longest = std::max(longest, rank.batch.cachedPrefix(request));
    return longest;
}

void Replica::runUntil(Seconds limit, bool stopAtEvents)
{
    while (nextStart() < limit) {
        m_clock = nextStart();
        if (m_togetherLeft > 0)
            stepTogether();
        else
            step();
        if (sharesLine() || (stopAtEvents && !m_events.empty())) // other lanes may have got something to do
            return;
    }
}

void Replica::step()
{
    settle();
    look();
    bool idle = true;
    Seconds delivered = never;
    for (Rank& rank : m_ranks) {
        releaseDelivered(rank);
        planStep(rank.batch, rank.plan);
        for (const std::int32_t request : rank.plan.preempted)
            ++outcomeOf(request).preemptions;
        m_log.preemptions += static_cast<std::int64_t>(rank.plan.preempted.size());
        idle = idle && rank.plan.idle();
        if (!rank.leaving.empty())
            delivered = std::min(delivered, rank.leaving.front().time);
    }
    m_returned = never;
    if (idle && sharesLine() && empty()) // others took who waited
        return;
    if (idle)
        return waitForRoom(delivered);
    execute();
    if (m_ranks.front().batch.scheduling().takeTogether)
        planTogether();
}

// The ranks wait for one another before their experts: the one with the most to compute and the one with the
// most to read are both candidates for the slowest.
Seconds Replica::timeOf(const std::vector<StepWork>& works)
{
    if (works.size() == 1)
        return (*m_around.stepTime)(works.front());
    std::int64_t tokens = 0;
    const StepWork* computes = &works.front();
    const StepWork* reads = &works.front();
    for (const StepWork& work : works) {
        tokens += work.tokens();
        if (work.tokens() > computes->tokens())
            computes = &work;
        if (work.decodeContext > reads->decodeContext)
            reads = &work;
    }
    const auto time = [&](StepWork work) {
        work.ranks = static_cast<std::int64_t>(works.size());
        work.allTokens = tokens;
        return (*m_around.stepTime)(work);
    };
    const Seconds slowest = time(*computes);
    return reads == computes ? slowest : std::max(slowest, time(*reads));
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
        took = m_around.stages->enter(m_clock, passOf(m_works)) - m_clock;
    }
    const Seconds began = m_clock;
    took = took + static_cast<double>(sampledRows) * scheduling.guided.maskPerRow
        + static_cast<double>(movedTokens) * scheduling.swapPerToken;
    m_clock += took;
    m_lastTook = took;
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

void Replica::decodeAll(Rank& rank, Seconds end)
{
    for (Sequence& sequence : rank.batch.running()) {
        if (!sequence.decoding || sequence.holdsSlotOnly)
            continue;
        const std::int32_t sampled = yieldOf(sequence);
        const std::int32_t forced = forcedAfter(sequence, sampled);
        sequence.computed += sampled + std::exchange(sequence.appended, forced);
        give(rank, sequence, std::min(sampled + forced, sequence.remaining()), end);
    }
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

// Takes out what ended with this step and what leaves for another replica.
void Replica::retire(Rank& rank, Seconds end)
{
    Batch& batch = rank.batch;
    std::vector<Sequence>& running = batch.running();
    const bool handsOver = m_around.handsOver.has_value();
    rank.goneWithStep = 0;
    if (!rank.ended && !handsOver)
        return;
    const bool waitsForLongest = keepsBatch(batch.scheduling().kind);
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
            batch.release(sequence);
        else if (handsOver && sequence.generated > 0)
            handOver(rank, sequence, end);
        if ((ended && !waitsForLongest) || (handsOver && sequence.generated > 0)) {
            ++rank.goneWithStep;
            continue;
        }
        if (kept != i)
            running[kept] = std::move(sequence);
        ++kept;
    }
    running.resize(kept);
    if (waitsForLongest && allEnded) {
        rank.goneWithStep = static_cast<std::int64_t>(running.size());
        for (Sequence& sequence : running)
            batch.release(sequence);
        running.clear();
    }
}

void Replica::logStep(Seconds took, const std::vector<StepWork>& works, std::int64_t usedBlocks)
{
    ReplicaLog::Step step{.took = took, .after = {.time = m_clock}};
    for (std::size_t i = 0; i < m_ranks.size(); ++i) {
        const Rank& rank = m_ranks[i];
        step.after.running += static_cast<std::int64_t>(rank.batch.running().size());
        step.after.waiting += static_cast<std::int64_t>(rank.batch.waiting().size() + rank.unseen.size());
        step.prefillTokens += works[i].prefillTokens;
        step.decodes += works[i].decodeSequences;
    }
    step.after.kvTokens = usedBlocks * m_ranks.front().batch.scheduling().pageTokens();
    m_log.add(step);
}

} // namespace headroom::serve
