#include "model/serve/decoders.h"

#include <algorithm>

namespace headroom::serve {

void Decoders::countAnew()
{
    m_countable = m_inOrder = true;
    m_size = m_context = m_shortest = m_longest = 0;
    m_nextEnd = noEnd;
    m_last = -1;
    m_newBlocks.assign(static_cast<std::size_t>(m_page), 0);
    m_prompts.clear();
    m_waiting.clear();
}

void Decoders::follow(std::vector<Sequence>& running)
{
    countAnew();
    m_reserved = m_round;
    for (std::size_t i = 0; i < running.size(); ++i) {
        Sequence& sequence = running[i];
        sequence.since = m_round;
        count(sequence, static_cast<std::int32_t>(i));
    }
    m_followed = m_countable;
}

void Decoders::count(const Sequence& sequence, std::int32_t index)
{
    if (!sequence.decoding) {
        m_prompts.push_back(index);
        return;
    }
    const std::int64_t length = sequence.computed - sequence.since;
    m_shortest = m_size == 0 ? length : std::min(m_shortest, length);
    m_longest = m_size == 0 ? length : std::max(m_longest, length);
    ++m_size;
    m_context += length + m_round;
    m_nextEnd = std::min(m_nextEnd, sequence.since + sequence.remaining());
    // Its page is full after so many tokens, and then every page's length.
    const std::int64_t first = sequence.lease.room - sequence.computed;
    if (sequence.computed + sequence.remaining() > sequence.lease.room) {
        const bool begun = first < m_page || sequence.since < m_round || m_reserved > m_round;
        m_countable = m_countable && first >= 0 && first <= m_page && begun;
        ++m_newBlocks[static_cast<std::size_t>((sequence.since + std::max<std::int64_t>(first, 0)) % m_page)];
    }
    const Seconds last = sequence.since < m_round ? m_end : sequence.lastToken;
    if (m_waiting.empty() || m_waiting.back().lastToken != last)
        m_waiting.push_back({last, 0});
    ++m_waiting.back().count;
    m_inOrder = m_inOrder && (index > m_last || m_waiting.size() == 1);
    m_last = std::max(m_last, index);
}

void Decoders::settle(Sequence& sequence) const
{
    if (!sequence.decoding)
        return;
    const std::int64_t rounds = m_round - sequence.since;
    const std::int64_t held = sequence.computed + m_reserved - sequence.since;
    if (held > sequence.lease.room) { // they were taken from the cache
        sequence.lease.blocks = (held + m_page - 1) / m_page;
        sequence.lease.room = sequence.lease.blocks * m_page;
    }
    if (rounds == 0)
        return;
    sequence.computed += static_cast<std::int32_t>(rounds);
    sequence.generated += static_cast<std::int32_t>(rounds);
    sequence.lastToken = m_end;
    sequence.since = m_round;
}

void Decoders::settle(std::vector<Sequence>& running)
{
    if (!m_followed)
        return;
    for (Sequence& sequence : running)
        settle(sequence);
    m_followed = false;
}

void Decoders::add(Sequence& sequence, std::int32_t index)
{
    sequence.since = m_round;
    count(sequence, index);
}

void Decoders::beginsToDecode(Sequence& sequence, std::int32_t index)
{
    m_prompts.erase(std::find(m_prompts.begin(), m_prompts.end(), index));
    add(sequence, index);
}

std::int64_t Decoders::blocksFor(std::int64_t rounds) const
{
    std::int64_t blocks = 0;
    for (std::int64_t i = 0; i < std::min<std::int64_t>(rounds, m_page); ++i)
        blocks += blocksAt(i) * (1 + (rounds - 1 - i) / m_page);
    return blocks;
}

void Decoders::advance(std::int64_t rounds, Seconds end)
{
    m_round += rounds;
    m_reserved = std::max(m_reserved, m_round);
    m_context += rounds * m_size;
    m_end = end;
    m_inOrder = true;
    m_waiting.clear();
    if (m_size > 0)
        m_waiting.push_back({end, m_size});
}

} // namespace headroom::serve
