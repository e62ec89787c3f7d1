#pragma once

#include "model/base/units.h"
#include "model/serve/sequence.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace headroom::serve {

// The decoding sequences of a batch, taken as one. A step gives each of them a token, so that only sums
// change; what each of them has is written into it when somebody looks (`settle`). Of caches that count their
// blocks, and of one token a step.
class Decoders {
public:
    explicit Decoders(int page) : m_page(page) {}

    // Whether sequences are behind what they have; else each is as it says.
    [[nodiscard]] bool followed() const { return m_followed; }
    // From now on, where all that are running can be; precondition: each is as it says.
    void follow(std::vector<Sequence>& running);
    // Each is as it says from now on.
    void settle(std::vector<Sequence>& running);
    void settle(Sequence& sequence) const;

    // For the rest they are followed.
    // A sequence that has begun to decode, or whose prompt is to be computed; `index`: among the running.
    void add(Sequence& sequence, std::int32_t index);
    void beginsToDecode(Sequence& sequence, std::int32_t index);
    // Has it ended with the last round? After some have: those that stay are told again in their order.
    [[nodiscard]] bool hasEnded(const Sequence& sequence) const
    {
        return sequence.decoding && sequence.since + sequence.remaining() == m_round;
    }
    void countAnew();
    void count(const Sequence& sequence, std::int32_t index);
    // False: they cannot be followed any more, as they stand.
    [[nodiscard]] bool countable() const { return m_countable; }

    [[nodiscard]] std::int64_t size() const { return m_size; }
    [[nodiscard]] std::int64_t context() const { return m_context; } // cached tokens of all
    [[nodiscard]] std::int64_t span() const { return m_size > 0 ? m_longest - m_shortest : 0; }
    [[nodiscard]] const std::vector<std::int32_t>& prompts() const { return m_prompts; } // among the running
    [[nodiscard]] std::int64_t roundsLeft() const { return m_nextEnd - m_round; }        // until one ends

    // Blocks that the next `rounds` take, and those that the i-th from now does, repeating by the page.
    [[nodiscard]] std::int64_t blocksFor(std::int64_t rounds) const;
    [[nodiscard]] std::int32_t blocksAt(std::int64_t round) const
    {
        return m_newBlocks[static_cast<std::size_t>((m_round + round) % m_page)];
    }
    // The blocks of the next round are there.
    void reserve() { m_reserved = m_round + 1; }

    // When each got its last token; those alike and next to one another together, in their order.
    struct Waiting {
        Seconds lastToken;
        std::int64_t count = 0;
    };
    [[nodiscard]] const std::vector<Waiting>& waiting() const { return m_waiting; }
    [[nodiscard]] bool inOrder() const { return m_inOrder; } // or `waiting` is not in theirs
    // Each gets so many tokens, the last at `end`.
    void advance(std::int64_t rounds, Seconds end);

private:
    static constexpr std::int64_t noEnd = std::numeric_limits<std::int64_t>::max() / 2;

    int m_page;
    bool m_followed = false;
    bool m_countable = true;
    bool m_inOrder = true;
    std::int64_t m_round = 0;    // tokens that each has got since the first was followed
    std::int64_t m_reserved = 0; // up to this round
    Seconds m_end;               // of the last round
    std::int64_t m_size = 0;
    std::int64_t m_context = 0;
    std::int64_t m_shortest = 0; // cache, less the rounds
    std::int64_t m_longest = 0;
    std::int64_t m_nextEnd = noEnd; // in rounds
    std::int32_t m_last = -1;       // index of the last one
    std::vector<std::int32_t> m_newBlocks{};
    std::vector<std::int32_t> m_prompts{};
    std::vector<Waiting> m_waiting{};
};

} // namespace headroom::serve
