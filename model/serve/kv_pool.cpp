#include "model/serve/kv_pool.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace headroom::serve {
namespace {

constexpr std::size_t smallestTable = 64;

}

KvPool::KvPool(std::int64_t blocks, bool remembers)
    : m_capacity(blocks), m_free(blocks), m_remembers(remembers), m_untouched(blocks)
{
    if (!remembers)
        return;
    // All three grow with what was ever named: a fleet of hundreds of replicas rarely fills its caches in a
    // replay.
    m_queue.resize(smallestTable);
    m_table.assign(smallestTable, -1);
    m_mask = m_table.size() - 1;
}

void KvPool::grow(Lease& lease, std::int64_t blocks)
{
    std::int64_t wanted = blocks - lease.blocks;
    assert(wanted <= m_free);
    if (wanted <= 0)
        return;
    m_free -= wanted;
    lease.blocks = blocks;
    if (!m_remembers)
        return;
    const std::int64_t untouched = std::min(wanted, m_untouched);
    m_untouched -= untouched;
    wanted -= untouched;
    while (wanted > 0) {
        Freed& longest = queued(m_queueBegin);
        if (longest.block == blank) {
            const std::int64_t taken = std::min(wanted, longest.blanks);
            longest.blanks -= taken;
            wanted -= taken;
            m_queueBegin += longest.blanks == 0 ? 1U : 0U;
            continue;
        }
        if (!isVoid(longest)) {
            forget(longest.block);
            --wanted;
        }
        ++m_queueBegin;
    }
}

void KvPool::release(Lease& lease)
{
    if (!m_remembers) {
        m_free += lease.blocks;
    } else {
        freeBlanks(lease.blocks - static_cast<std::int64_t>(lease.ids.size()));
        for (; !lease.ids.empty(); lease.ids.pop_back()) {
            const std::int32_t block = lease.ids.back();
            if (block == blank) {
                freeBlanks(1);
            } else if (--at(block).holders == 0) {
                append({.block = block, .stamp = ++at(block).stamp});
                ++m_free;
            }
        }
    }
    lease.blocks = 0;
    lease.room = 0;
    lease.named = 0;
}

void KvPool::publishNext(Lease& lease, std::uint64_t name)
{
    assert(lease.named < lease.blocks && lease.named == static_cast<std::int64_t>(lease.ids.size()));
    ++lease.named;
    // The first holder of a content is the one that is found.
    lease.ids.push_back(find(name) >= 0 ? blank : newBlock(name));
}

std::int32_t KvPool::newBlock(std::uint64_t name)
{
    if (2 * (m_names + 1) > m_table.size())
        widenTable();
    std::int32_t block = static_cast<std::int32_t>(m_blocks.size());
    if (m_nameless.empty()) {
        m_blocks.emplace_back();
    } else {
        block = m_nameless.back();
        m_nameless.pop_back();
    }
    at(block).name = name;
    at(block).holders = 1;
    insert(name, block);
    ++m_names;
    return block;
}

void KvPool::forget(std::int32_t block)
{
    erase(at(block).name, block);
    at(block).name = 0;
    --m_names;
    m_nameless.push_back(block);
}

std::int32_t KvPool::find(std::uint64_t name) const
{
    for (std::uint64_t slot = name & m_mask;; slot = (slot + 1) & m_mask) {
        const std::int32_t block = m_table[slot];
        if (block < 0 || m_blocks[static_cast<std::size_t>(block)].name == name)
            return block;
    }
}

void KvPool::insert(std::uint64_t name, std::int32_t block)
{
    std::uint64_t slot = name & m_mask;
    while (m_table[slot] >= 0)
        slot = (slot + 1) & m_mask;
    m_table[slot] = block;
}

void KvPool::widenTable()
{
    m_table.assign(2 * m_table.size(), -1);
    m_mask = m_table.size() - 1;
    for (std::size_t i = 0; i < m_blocks.size(); ++i)
        if (m_blocks[i].name != 0)
            insert(m_blocks[i].name, static_cast<std::int32_t>(i));
}

void KvPool::erase(std::uint64_t name, std::int32_t block)
{
    std::uint64_t hole = name & m_mask;
    while (m_table[hole] != block)
        hole = (hole + 1) & m_mask;
    // Entries behind the hole move up unless that would put them before their own place.
    for (std::uint64_t slot = (hole + 1) & m_mask; m_table[slot] >= 0; slot = (slot + 1) & m_mask) {
        const std::uint64_t home = at(m_table[slot]).name & m_mask;
        if (((slot - home) & m_mask) >= ((slot - hole) & m_mask)) {
            m_table[hole] = m_table[slot];
            hole = slot;
        }
    }
    m_table[hole] = -1;
}

void KvPool::hold(Lease& lease, std::int32_t block)
{
    if (at(block).holders++ == 0)
        --m_free;
    lease.ids.push_back(block);
    ++lease.blocks;
}

void KvPool::freeBlanks(std::int64_t count)
{
    if (count == 0)
        return;
    m_free += count;
    if (m_queueEnd > m_queueBegin && queued(m_queueEnd - 1).block == blank)
        queued(m_queueEnd - 1).blanks += count;
    else
        append({.blanks = count});
}

void KvPool::append(Freed freed)
{
    if (m_queueEnd - m_queueBegin == m_queue.size()) {
        dropVoid();
        // Half of the ring stays for entries that become void, or every block freed would sort them out anew.
        if (2 * (m_queueEnd - m_queueBegin) > m_queue.size())
            widenQueue();
    }
    queued(m_queueEnd++) = freed;
}

void KvPool::dropVoid()
{
    std::uint64_t kept = m_queueBegin;
    for (std::uint64_t i = m_queueBegin; i < m_queueEnd; ++i)
        if (!isVoid(queued(i)))
            queued(kept++) = queued(i);
    m_queueEnd = kept;
}

void KvPool::widenQueue()
{
    std::vector<Freed> wider(2 * m_queue.size());
    const std::uint64_t count = m_queueEnd - m_queueBegin;
    for (std::uint64_t i = 0; i < count; ++i)
        wider[i] = queued(m_queueBegin + i);
    m_queue = std::move(wider);
    m_queueBegin = 0;
    m_queueEnd = count;
}

} // namespace headroom::serve
