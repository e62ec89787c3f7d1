#include "model/serve/batch.h"

#include "model/base/mix_bits.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace headroom::serve {

namespace {
std::int64_t dividedUp(std::int64_t count, std::int64_t size) { return (count + size - 1) / size; }
} // namespace

Batch::Batch(const Scheduling& scheduling, const Workload& workload, std::shared_ptr<KvPool> pool,
             std::shared_ptr<WaitingLine> line)
    : m_scheduling(scheduling),
      m_workload(&workload),
      m_page(scheduling.pageTokens()),
      m_pool(std::move(pool)),
      m_decoders(m_page),
      m_line(std::move(line))
{}

// Beams share the full blocks of the prompt; each has its own copy of the rest.
std::int64_t Batch::blocksFor(std::int32_t tokens, std::int32_t prompt) const
{
    const std::int64_t beams = m_scheduling.beams;
    if (beams == 1 || tokens <= prompt)
        return dividedUp(tokens, m_page);
    const std::int64_t shared = prompt / m_page;
    return shared + beams * dividedUp(tokens - shared * m_page, m_page);
}

// The last token's own cache entry is never written, but engines that reserve ahead do not count on that.
std::int32_t Batch::longest(const Request& request) const
{
    if (m_scheduling.promptsOnly)
        return request.promptTokens;
    const std::int32_t written
        = request.promptTokens + request.outputTokens + m_scheduling.speculation.draftTokens;
    return m_scheduling.reservesAnswer() ? written : written - 1;
}

bool Batch::couldEverRun(const Request& request) const
{
    return blocksFor(longest(request), request.promptTokens) <= m_pool->capacity();
}

std::uint64_t Batch::blockName(std::int32_t index, std::int64_t block) const
{
    enum Kind : std::uint64_t { Own = 1, System = 2, Session = 3, Hashed = 4 };
    const auto named = [&](Kind kind, std::int64_t owner) {
        const std::uint64_t name = mixBits(mixBits((static_cast<std::uint64_t>(owner) << 3U) + kind)
                                           + static_cast<std::uint64_t>(block));
        return name == 0 ? 1 : name;
    };
    const Request& request = requestOf(index);
    const std::int64_t end = (block + 1) * m_page;
    if (request.hashCount > 0 && end <= request.promptTokens) {
        const std::int64_t hashed = (end - 1) / m_workload->hashedTokens;
        if (hashed < request.hashCount)
            return named(Hashed,
                         m_workload->prefixHashes[request.hashBegin + static_cast<std::size_t>(hashed)]);
    }
    if (end <= request.systemTokens)
        return named(System, request.classIndex);
    return request.session >= 0 ? named(Session, request.session) : named(Own, index);
}

std::int64_t Batch::sharedBlocks(const Request& request) const
{
    if (request.hashCount > 0)
        return std::min<std::int64_t>(request.promptTokens,
                                      std::int64_t{request.hashCount} * m_workload->hashedTokens)
            / m_page;
    return std::max(request.systemTokens, request.sessionTokens) / m_page;
}

std::int64_t Batch::cachedPrefix(std::int32_t index) const
{
    if (!m_pool->remembers())
        return 0;
    const auto nameOf = [&](std::int64_t block) { return blockName(index, block); };
    return m_pool->match(nameOf, sharedBlocks(requestOf(index))).blocks * m_page;
}

std::optional<Admission> Batch::admissible(const Ticket& ticket) const
{
    if (static_cast<std::int64_t>(m_running.size()) >= m_scheduling.sequenceLimit())
        return std::nullopt;
    const Request& request = requestOf(ticket.request);
    Admission admission{.target = request.promptTokens + ticket.generated};
    std::int32_t needed = admission.target;
    const bool brings = ticket.state == Ticket::State::Swapped || ticket.state == Ticket::State::Transferred;
    if (brings) { // its newest tokens enter the cache with the next step
        admission.target -= 1 + ticket.appended;
        needed += m_scheduling.speculation.draftTokens;
    }
    if (m_scheduling.reservesAnswer())
        needed = longest(request);
    const auto keptFree = m_running.empty()
        ? std::int64_t{0}
        : static_cast<std::int64_t>(m_scheduling.watermark * static_cast<double>(m_pool->capacity()));
    const std::int64_t blocks = blocksFor(needed, request.promptTokens);
    // Only what others may hold as well is there without taking from the free blocks: where even all of that
    // is too little nobody need look for it.
    if (blocks - (m_pool->remembers() ? sharedBlocks(request) : 0) > m_pool->free() - keptFree)
        return std::nullopt;
    KvPool::Match match;
    if (m_pool->remembers() && !brings) {
        // One token at least is computed: its logits are what the cache does not hold.
        const std::int64_t whole = (admission.target - 1) / m_page;
        const std::int64_t limit = ticket.state == Ticket::State::New ? sharedBlocks(request) : whole;
        match = m_pool->match([&](std::int64_t block) { return blockName(ticket.request, block); },
                              std::min(limit, whole));
        admission.matchedBlocks = match.blocks;
        admission.cached = static_cast<std::int32_t>(match.blocks * m_page);
    }
    if (blocks - (match.blocks - match.unused) > m_pool->free() - keptFree)
        return std::nullopt;
    return admission;
}

Sequence& Batch::start(const Ticket& ticket, std::int32_t target)
{
    const Request& request = requestOf(ticket.request);
    Sequence& sequence = m_running.emplace_back();
    sequence.request = ticket.request;
    sequence.prompt = request.promptTokens;
    sequence.output = request.outputTokens;
    sequence.target = target;
    sequence.generated = ticket.generated;
    sequence.lastToken = ticket.lastToken;
    sequence.speculated = ticket.speculated;
    sequence.forced = ticket.forced;
    if (ticket.state != Ticket::State::Recompute)
        sequence.appended = ticket.appended;
    return sequence;
}

Sequence& Batch::admit(const Admission& admission, std::int32_t chunk)
{
    const Ticket ticket = waiting().front();
    waiting().pop_front();
    Sequence& sequence = start(ticket, admission.target);
    m_pool->adopt(
        sequence.lease, [&](std::int64_t block) { return blockName(ticket.request, block); },
        admission.matchedBlocks);
    sequence.computed = admission.cached;
    if (ticket.state == Ticket::State::Transferred) {
        sequence.computed = admission.target;
        sequence.decoding = true;
        chunk = sequence.decodeWrites(m_scheduling);
    }
    growTo(sequence,
           m_scheduling.reservesAnswer() ? longest(requestOf(ticket.request)) : sequence.computed + chunk);
    if (m_decoders.followed()) {
        m_decoders.add(sequence, static_cast<std::int32_t>(m_running.size()) - 1);
        settleUncountable();
    }
    return sequence;
}

Sequence& Batch::swapIn()
{
    const Ticket ticket = m_swapped.front();
    m_swapped.pop_front();
    const std::int32_t unwritten = 1 + ticket.appended;
    Sequence& sequence = start(ticket, requestOf(ticket.request).promptTokens + ticket.generated - unwritten);
    sequence.computed = sequence.target;
    sequence.decoding = true;
    m_swappedTokens -= sequence.computed;
    growTo(sequence, sequence.computed + sequence.decodeWrites(m_scheduling));
    return sequence;
}

void Batch::growTo(Sequence& sequence, std::int32_t tokens)
{
    KvPool::Lease& lease = sequence.lease;
    const std::int64_t blocks = blocksFor(tokens, sequence.prompt);
    if (blocks > lease.blocks)
        m_pool->grow(lease, blocks);
    lease.room = dividedUp(tokens, m_page) * m_page;
    if (m_scheduling.beams > 1 && tokens <= sequence.prompt)
        lease.room = std::min<std::int64_t>(lease.room, sequence.prompt); // beyond it the beams part
}

bool Batch::reserve(Sequence& sequence, std::int32_t tokens)
{
    if (tokens <= sequence.lease.room)
        return true;
    if (lacks(sequence, tokens) > m_pool->free())
        return false;
    growTo(sequence, tokens);
    return true;
}

bool Batch::haveRoomFor(std::int32_t steps) const
{
    if (m_scheduling.beams == 1
        && std::ssize(m_running) * dividedUp(steps, m_page) <= m_pool->free()) // wherever their pages end
        return true;
    if (m_decoders.followed())
        return m_decoders.blocksFor(steps) <= m_pool->free();
    std::int64_t blocks = 0;
    for (const Sequence& sequence : m_running)
        if (!sequence.holdsSlotOnly)
            blocks += lacks(sequence, sequence.computed + steps);
    return blocks <= m_pool->free();
}

void Batch::countNewBlocks(std::vector<std::int32_t>& blocksAt, std::int32_t steps) const
{
    blocksAt.assign(static_cast<std::size_t>(std::min(m_page, steps)), 0);
    if (m_decoders.followed()) {
        for (std::size_t i = 0; i < blocksAt.size(); ++i)
            blocksAt[i] = m_decoders.blocksAt(static_cast<std::int64_t>(i));
        return;
    }
    for (const Sequence& sequence : m_running)
        if (const std::int64_t first = sequence.lease.room - sequence.computed;
            !sequence.holdsSlotOnly && first < static_cast<std::int64_t>(blocksAt.size()))
            blocksAt[static_cast<std::size_t>(first)] += m_scheduling.beams;
}

std::int64_t Batch::preemptLast()
{
    Sequence& victim = m_running.back();
    Ticket ticket{.request = victim.request,
                  .generated = victim.generated,
                  .state = Ticket::State::Recompute,
                  .lastToken = victim.lastToken,
                  .speculated = victim.speculated,
                  .forced = victim.forced,
                  .appended = victim.appended};
    std::int64_t moved = 0;
    const bool fitsHost = m_swappedTokens + victim.computed <= m_scheduling.swapTokens;
    if (m_scheduling.preemption == PreemptionKind::Swap && victim.decoding && fitsHost) {
        ticket.state = Ticket::State::Swapped;
        moved = victim.computed;
        m_swappedTokens += moved;
        m_swapped.push_front(ticket);
    } else {
        publish(victim, victim.computed); // what is not evicted meanwhile need not be computed again
        waiting().push_front(ticket);
    }
    m_pool->release(victim.lease);
    m_running.pop_back();
    return moved;
}

void Batch::publishPrompt(Sequence& sequence)
{
    if (!m_pool->remembers())
        return;
    const Request& request = requestOf(sequence.request);
    const bool all = request.session >= 0 || request.hashCount > 0;
    publish(sequence, std::min(sequence.computed, all ? sequence.prompt : request.systemTokens));
}

void Batch::publishSession(Sequence& sequence)
{
    if (requestOf(sequence.request).session >= 0)
        publish(sequence, sequence.computed);
}

void Batch::release(Sequence& sequence)
{
    publishSession(sequence);
    m_pool->release(sequence.lease);
}

void Batch::publish(Sequence& sequence, std::int32_t tokens)
{
    if (!m_pool->remembers())
        return;
    if (m_scheduling.beams > 1) // only the prompt is one text
        tokens = std::min(tokens, sequence.prompt);
    while (sequence.lease.named < tokens / m_page)
        m_pool->publishNext(sequence.lease, blockName(sequence.request, sequence.lease.named));
}

} // namespace headroom::serve
