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
    : m_around(surroundings), m_follows(mayFollow(scheduling, surroundings))
{
    for (const Place& place : places)
        m_ranks.push_back(
            Rank{.batch = Batch(scheduling.ofOneRank(), *surroundings.workload, place.cache, place.line),
                 .leaving = place.leaving});
    m_works.resize(m_ranks.size());
    m_log.keepsSamples = surroundings.keepsSamples;
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

bool Replica::batchesEmpty() const
{
    return std::all_of(m_ranks.begin(), m_ranks.end(), [](const Rank& rank) { return rank.batch.empty(); });
}

bool Replica::empty() const
{
    const auto nobody
        = [](const Rank& rank) { return rank.unseen.empty() && rank.batch.line().coming.empty(); };
    return batchesEmpty() && std::all_of(m_ranks.begin(), m_ranks.end(), nobody);
}

// Engines plan steps ahead and hand requests from one process to another: a new one is in a step when some
// more have passed. A cache that comes is waited for otherwise.
std::int64_t Replica::stepsFor(const Ticket& ticket) const
{
    const bool waits = m_around.stepsToPass > 0 && ticket.state == Ticket::State::New;
    return waits ? wholeSteps(m_around.stepsToPass, m_around.seed, ticket.request) : 0;
}

// What has arrived is seen where its time has come, or where there is nothing else to do.
void Replica::look()
{
    const bool idle = batchesEmpty();
    for (Rank& rank : m_ranks)
        rank.batch.line().coming.letGo(idle ? StepWait::anyStep : m_log.steps, [&rank](const Ticket& ticket) {
            rank.batch.waiting().push_back(ticket);
        });
    if (m_untilLook > 0 && !idle)
        return;
    m_untilLook = m_ranks.front().batch.scheduling().receiveInterval;
    if (waitsForOtherRanks() || waitsForMorePrompts())
        return;
    for (Rank& rank : m_ranks) {
        for (const Ticket& ticket : rank.unseen)
            if (const std::int64_t steps = idle ? 0 : stepsFor(ticket); steps > 0)
                rank.batch.line().coming.add(ticket, m_log.steps + steps);
            else
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

// Beside decodes one prompt makes a step as long as several do, so engines may hold it back for more. Whoever
// decodes alone on its rank does so here; where nobody decodes there is nothing to wait beside.
bool Replica::waitsForMorePrompts()
{
    const HeldPrompts& held = m_around.held;
    const Rank& rank = m_ranks.front();
    if (held.steps == 0 || m_ranks.size() > 1 || rank.unseen.empty() || rank.batch.running().empty())
        return false;
    std::int64_t tokens = static_cast<std::int64_t>(rank.batch.running().size());
    for (const Ticket& ticket : rank.unseen)
        tokens += m_around.workload->requests[static_cast<std::size_t>(ticket.request)].promptTokens;
    if (tokens < held.tokens && m_heldPrompts < held.steps) {
        ++m_heldPrompts;
        return true;
    }
    m_heldPrompts = 0;
    return false;
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
    if (rank.batch.waiting().empty() && m_togetherLeft > 0) { // the step that sees it may admit it
        m_togetherLeft = static_cast<std::int32_t>(
            std::min<std::int64_t>(m_togetherLeft, std::max(m_untilLook, 0) + stepsFor(ticket)));
        lookAhead();
    }
    if (empty())
        m_clock = std::max(m_clock, now);
    if (sharesLine()) {
        comeToPipeline(rank, ticket, now);
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

// Of steps that are taken together none but the last ends a sequence. What routing asks of caches changes
// with each.
Seconds Replica::earliestEnd() const
{
    return m_togetherLeft < 2 || m_around.followsPrefixes ? nextStart() : std::max(m_clock, m_notBefore);
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
            stepTogether(limit);
        else
            step();
        if (sharesLine() || (stopAtEvents && !m_events.empty())) // other lanes may have got something to do
            return;
    }
}

void Replica::step()
{
    settle();
    sharesLine() ? letIn() : look();
    bool idle = true;
    Seconds delivered = never;
    for (Rank& rank : m_ranks) {
        releaseDelivered(rank);
        rank.plan.begins = m_clock;
        planStep(rank.batch, rank.plan);
        for (const std::int32_t request : rank.plan.joined)
            outcomeOf(request).firstToken = m_clock;
        for (const std::int32_t request : rank.plan.preempted)
            ++outcomeOf(request).preemptions;
        m_log.preemptions += static_cast<std::int64_t>(rank.plan.preempted.size());
        idle = idle && rank.plan.idle();
        if (!rank.leaving->empty())
            delivered = std::min(delivered, rank.leaving->front().time);
    }
    m_returned = never;
    if (idle && sharesLine() && batchesEmpty()) // others took who waited
        return;
    if (idle)
        return waitForRoom(delivered);
    execute();
    if (!m_ranks.front().batch.scheduling().takeTogether)
        return;
    for (Rank& rank : m_ranks)
        if (m_follows && !rank.batch.decoders().followed() && rank.plan.preempted.empty())
            rank.batch.followDecoders();
    planTogether();
}

void Replica::noteEnd(const Sequence& sequence, Seconds end)
{
    Outcome& outcome = outcomeOf(sequence.request);
    outcome.end = end;
    outcome.replica = m_around.index;
    outcome.state = Outcome::State::Done;
    m_events.push_back({.kind = Event::Kind::Finished, .request = sequence.request, .time = end});
}

// The same where those that decode are followed: what stays is only counted.
void Replica::retireFollowed(Rank& rank, Seconds end)
{
    Decoders& decoders = rank.batch.decoders();
    std::vector<Sequence>& running = rank.batch.running();
    decoders.countAnew();
    std::size_t kept = 0;
    for (Sequence& sequence : running) {
        if (decoders.hasEnded(sequence)) {
            decoders.settle(sequence);
            noteEnd(sequence, end);
            rank.batch.release(sequence);
            ++rank.goneWithStep;
            continue;
        }
        decoders.count(sequence, static_cast<std::int32_t>(kept));
        if (&running[kept] != &sequence)
            running[kept] = std::move(sequence);
        ++kept;
    }
    running.resize(kept);
    rank.batch.settleUncountable();
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
    if (batch.decoders().followed())
        return retireFollowed(rank, end);
    const bool waitsForLongest = keepsBatch(batch.scheduling().kind);
    bool allEnded = true;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < running.size(); ++i) {
        Sequence& sequence = running[i];
        const bool ended = sequence.remaining() == 0;
        if (ended && !sequence.holdsSlotOnly)
            noteEnd(sequence, end);
        allEnded = allEnded && ended;
        if (ended && waitsForLongest)
            sequence.holdsSlotOnly = true;
        else if (ended)
            giveBack(rank, sequence, end);
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
            giveBack(rank, sequence, end);
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
