#pragma once

#include "model/base/units.h"
#include "model/closed_form/scheduling.h"
#include "model/scenario/request.h"
#include "model/serve/decoders.h"
#include "model/serve/kv_pool.h"
#include "model/serve/sequence.h"
#include "model/serve/step_wait.h"
#include "model/serve/ticket.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace headroom::serve {

// Who waits in front of a batch. The lanes of a pipeline have one line together: the pass that begins next
// takes who waits, and of prompts that are under way through the stages what is left of them.
struct WaitingLine {
    std::deque<Ticket> waiting;
    std::deque<Sequence> prompts;    // under way, a part computed or about to be
    Seconds came;                    // since when somebody waits
    Seconds offered;                 // from when on idle lanes may look
    std::optional<std::size_t> turn; // the one that may; none: all
    StepWait coming;                 // not in the line before some steps have passed
    std::int64_t passes = 0;         // that lanes began
    std::vector<bool> atWork;        // lanes that have sequences

    [[nodiscard]] bool empty() const { return waiting.empty() && prompts.empty(); }
};

// What admission found out about the ticket in front.
struct Admission {
    std::int32_t cached = 0; // leading tokens found in the prefix cache
    std::int32_t target = 0;
    std::int64_t matchedBlocks = 0;
};

// The requests of one replica and the blocks they hold: the state that scheduling policies read and change.
// All counts are tokens unless they say blocks.
class Batch {
public:
    Batch(const Scheduling& scheduling, const Workload& workload, std::shared_ptr<KvPool> pool,
          std::shared_ptr<WaitingLine> line);

    [[nodiscard]] const Scheduling& scheduling() const { return m_scheduling; }
    [[nodiscard]] const KvPool& pool() const { return *m_pool; }
    [[nodiscard]] std::vector<Sequence>& running() { return m_running; } // in the order of admission
    [[nodiscard]] const std::vector<Sequence>& running() const { return m_running; }
    [[nodiscard]] std::deque<Ticket>& waiting() { return m_line->waiting; }
    [[nodiscard]] const std::deque<Ticket>& waiting() const { return m_line->waiting; }
    [[nodiscard]] std::deque<Sequence>& promptsUnderWay() { return m_line->prompts; }
    [[nodiscard]] const std::deque<Sequence>& promptsUnderWay() const { return m_line->prompts; }
    [[nodiscard]] WaitingLine& line() { return *m_line; }
    [[nodiscard]] const WaitingLine& line() const { return *m_line; }
    [[nodiscard]] const std::deque<Ticket>& swapped() const { return m_swapped; }
    [[nodiscard]] bool idle() const { return m_running.empty() && m_swapped.empty(); }
    [[nodiscard]] bool empty() const { return idle() && waiting().empty() && promptsUnderWay().empty(); }
    // While they are followed nothing else of the running ones that decode is as it says.
    [[nodiscard]] Decoders& decoders() { return m_decoders; }
    [[nodiscard]] const Decoders& decoders() const { return m_decoders; }
    void followDecoders()
    {
        if (m_swapped.empty())
            m_decoders.follow(m_running);
    }
    void settleDecoders() { m_decoders.settle(m_running); }
    void beginsToDecode(Sequence& sequence, std::int32_t index)
    {
        if (!m_decoders.followed())
            return;
        m_decoders.beginsToDecode(sequence, index);
        settleUncountable();
    }
    void settleUncountable()
    {
        if (!m_decoders.countable())
            settleDecoders();
    }
    // Blocks for the next step of all that decode, and for so many steps that they are taken at once;
    // precondition: they are followed, and the blocks are there.
    void takeNextBlocks()
    {
        m_pool->take(m_decoders.blocksFor(1));
        m_decoders.reserve();
    }
    void advanceDecoders(std::int64_t steps, Seconds end)
    {
        m_pool->take(m_decoders.blocksFor(steps));
        m_decoders.advance(steps, end);
    }

    // False: could never run, not even alone.
    [[nodiscard]] bool couldEverRun(const Request& request) const;

    // Whether the head of the line (or a swapped sequence) has a slot and blocks for its whole prompt.
    [[nodiscard]] std::optional<Admission> admissible(const Ticket& ticket) const;
    // Moves the head of the line to the running ones with blocks for what is cached and its first chunk.
    Sequence& admit(const Admission& admission, std::int32_t chunk);
    Sequence& swapIn();

    // Blocks that this sequence lacks to hold `tokens`.
    [[nodiscard]] std::int64_t lacks(const Sequence& sequence, std::int32_t tokens) const
    {
        return tokens <= sequence.lease.room ? 0 : blocksFor(tokens, sequence.prompt) - sequence.lease.blocks;
    }
    // Blocks for this sequence to hold `tokens`; false when they are not there.
    [[nodiscard]] bool reserve(Sequence& sequence, std::int32_t tokens);
    // Whether there are the blocks that `steps` more tokens of every running sequence would take.
    [[nodiscard]] bool haveRoomFor(std::int32_t steps) const;
    // Sends the sequence admitted last back to the line; returns the tokens that move to the host (0:
    // recompute).
    std::int64_t preemptLast();
    // How many blocks the i-th step from now takes, if all go on decoding: repeats when `steps` exceeds a
    // page.
    void countNewBlocks(std::vector<std::int32_t>& blocksAt, std::int32_t steps) const;
    // The answer's full blocks become findable now, when its session may go on.
    void release(Sequence& sequence);
    // What a later turn of its session may find.
    void publishSession(Sequence& sequence);
    void release(KvPool::Lease& lease) { m_pool->release(lease); }
    // Names the prompt's full blocks that other requests may want.
    void publishPrompt(Sequence& sequence);

    // Leading tokens of this request that are in the cache now: what prefix-aware routing asks.
    [[nodiscard]] std::int64_t cachedPrefix(std::int32_t request) const;

private:
    [[nodiscard]] std::int64_t blocksFor(std::int32_t tokens, std::int32_t prompt) const;
    [[nodiscard]] std::uint64_t blockName(std::int32_t request, std::int64_t block) const;
    // Leading blocks whose content others may have put into the cache.
    [[nodiscard]] std::int64_t sharedBlocks(const Request& request) const;
    // The longest the request becomes here, in the terms of its admission.
    [[nodiscard]] std::int32_t longest(const Request& request) const;
    void publish(Sequence& sequence, std::int32_t tokens);
    [[nodiscard]] Sequence& start(const Ticket& ticket, std::int32_t target);
    void growTo(Sequence& sequence, std::int32_t tokens);
    [[nodiscard]] const Request& requestOf(std::int32_t index) const
    {
        return m_workload->requests[static_cast<std::size_t>(index)];
    }

    Scheduling m_scheduling;
    const Workload* m_workload;
    int m_page;
    std::shared_ptr<KvPool> m_pool;
    std::vector<Sequence> m_running;
    Decoders m_decoders;
    std::shared_ptr<WaitingLine> m_line;
    std::deque<Ticket> m_swapped;
    std::int64_t m_swappedTokens = 0;
};

} // namespace headroom::serve
