#include "model/serve/kv_pool.h"

#include <bit>
#include <cassert>
#include <iterator>
#include <utility>

namespace headroom::serve {
namespace {

constexpr std::size_t smallestTable = 64;

}

KvPool::KvPool(std::int64_t blocks, bool remembers)
    : m_capacity(blocks), m_free(blocks), m_remembers(remembers)
{
    if (!remembers)
        return;
    // All three grow with what was ever held: a fleet of hundreds of replicas rarely fills its caches in a
    // replay.
    m_queue.resize(smallestTable);
    m_table.assign(smallestTable, -1);
    m_mask = m_table.size() - 1;
}

void KvPool::grow(Lease& lease, std::int64_t blocks)
{
    assert(blocks - lease.blocks <= m_free);
    if (!m_remembers) {
        m_free -= blocks - lease.blocks;
        lease.blocks = blocks;
        return;
    }
    while (lease.blocks < blocks) {
        const std::int32_t block = longestFree();
        if (at(block).name != 0) {
            erase(at(block).name, block);
            at(block).name = 0;
            --m_names;
        }
        hold(lease, block);
    }
}

void KvPool::release(Lease& lease)
{
    if (!m_remembers) {
        m_free += lease.blocks;
    } else {
        for (; !lease.ids.empty(); lease.ids.pop_back())
            if (const std::int32_t block = lease.ids.back(); --at(block).holders == 0)
                append(block);
    }
    lease.blocks = 0;
    lease.room = 0;
    lease.named = 0;
}

void KvPool::publish(const Lease& lease, std::int64_t index, std::uint64_t name)
{
    const std::int32_t block = lease.ids[static_cast<std::size_t>(index)];
    if (at(block).name != 0 || find(name) >= 0)
        return; // the first holder of a content is the one that is found
    if (2 * (m_names + 1) > m_table.size())
        widenTable();
    at(block).name = name;
    insert(name, block);
    ++m_names;
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

std::int32_t KvPool::longestFree()
{
    // A block that nobody held yet has been free for longer than any that was given back.
    if (std::ssize(m_blocks) < m_capacity) {
        m_blocks.emplace_back();
        return static_cast<std::int32_t>(m_blocks.size() - 1);
    }
    while (true) {
        const Freed freed = m_queue[m_queueBegin++ & (m_queue.size() - 1)];
        if (!isVoid(freed))
            return freed.block;
    }
}

void KvPool::append(std::int32_t block)
{
    if (m_queueEnd - m_queueBegin == m_queue.size()) {
        dropVoid();
        // Half of the ring stays for entries that become void, or every block freed would sort them out anew.
        if (2 * (m_queueEnd - m_queueBegin) > m_queue.size())
            widenQueue();
    }
    m_queue[m_queueEnd++ & (m_queue.size() - 1)] = {.block = block, .stamp = ++at(block).stamp};
    ++m_free;
}

void KvPool::dropVoid()
{
    const std::uint64_t mask = m_queue.size() - 1;
    std::uint64_t kept = m_queueBegin;
    for (std::uint64_t i = m_queueBegin; i < m_queueEnd; ++i)
        if (!isVoid(m_queue[i & mask]))
            m_queue[kept++ & mask] = m_queue[i & mask];
    m_queueEnd = kept;
}

void KvPool::widenQueue()
{
    std::vector<Freed> wider(2 * m_queue.size());
    const std::uint64_t count = m_queueEnd - m_queueBegin;
    for (std::uint64_t i = 0; i < count; ++i)
        wider[i] = m_queue[(m_queueBegin + i) & (m_queue.size() - 1)];
    m_queue = std::move(wider);
    m_queueBegin = 0;
    m_queueEnd = count;
}

} // namespace headroom::serve
