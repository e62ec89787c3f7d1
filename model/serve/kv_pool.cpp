#include "model/serve/kv_pool.h"

#include <bit>
#include <cassert>

namespace headroom::serve {

KvPool::KvPool(std::int64_t blocks, bool remembers)
    : m_capacity(blocks), m_free(blocks), m_remembers(remembers)
{
    if (!remembers)
        return;
    const auto count = static_cast<std::size_t>(blocks);
    m_blocks.resize(count + 1);
    for (std::size_t i = 0; i <= count; ++i) {
        m_blocks[i].previous = static_cast<std::int32_t>(i == 0 ? count : i - 1);
        m_blocks[i].next = static_cast<std::int32_t>(i == count ? 0 : i + 1);
    }
    m_table.assign(std::bit_ceil(2 * count + 2), -1);
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
    const auto head = static_cast<std::int32_t>(m_capacity);
    while (lease.blocks < blocks) {
        const std::int32_t block = at(head).next;
        if (at(block).name != 0)
            erase(at(block).name, block);
        at(block).name = 0;
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
    at(block).name = name;
    insert(name, block);
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
        unlink(block);
    lease.ids.push_back(block);
    ++lease.blocks;
}

void KvPool::unlink(std::int32_t block)
{
    at(at(block).previous).next = at(block).next;
    at(at(block).next).previous = at(block).previous;
    --m_free;
}

void KvPool::append(std::int32_t block)
{
    const auto head = static_cast<std::int32_t>(m_capacity);
    const std::int32_t last = at(head).previous;
    at(block).previous = last;
    at(block).next = head;
    at(last).next = block;
    at(head).previous = block;
    ++m_free;
}

} // namespace headroom::serve
