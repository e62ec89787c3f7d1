#pragma once

#include <cstdint>
#include <vector>

namespace headroom::serve {

// The blocks of one replica's cache. A pool that remembers keeps the content of freed blocks findable by name
// until the block is handed out again, the longest unused first, a sequence's last blocks before its first:
// what vLLM's block pool does (vllm/v1/core/block_pool.py). A pool that does not remember only counts.
//
// A block whose content has no name is *blank*: no one can find it, so one is as good as another. Blanks are
// counted, held or free, and only blocks with a name have an entry of their own: most traffic shares nothing,
// and a cache may have millions of blocks.
class KvPool {
public:
    // What one sequence holds.
    struct Lease {
        std::int64_t blocks = 0;
        std::int64_t room = 0;         // tokens per beam that fit; kept by the owner
        std::int64_t named = 0;        // leading blocks already published
        std::vector<std::int32_t> ids; // of those, `blank` where another block had the name already
    };
    struct Match {
        std::int64_t blocks = 0; // leading blocks found
        std::int64_t unused = 0; // of them, those nobody holds: adopting them takes from the free ones
    };

    KvPool(std::int64_t blocks, bool remembers);

    [[nodiscard]] std::int64_t capacity() const { return m_capacity; }
    [[nodiscard]] std::int64_t free() const { return m_free; }
    [[nodiscard]] std::int64_t used() const { return m_capacity - m_free; }
    [[nodiscard]] bool remembers() const { return m_remembers; }

    // Precondition: `blocks` - lease.blocks are free.
    void grow(Lease& lease, std::int64_t blocks);
    void release(Lease& lease);
    // Of a pool that only counts: for leases that are told of them later.
    void take(std::int64_t blocks) { m_free -= blocks; }

    // `nameOf(i)` names the content of a text's i-th block; looks at no more than `limit` of them.
    template <class NameOf>
    [[nodiscard]] Match match(NameOf nameOf, std::int64_t limit) const
    {
        Match found;
        for (; found.blocks < limit; ++found.blocks) {
            const std::int32_t block = find(nameOf(found.blocks));
            if (block < 0)
                break;
            found.unused += m_blocks[static_cast<std::size_t>(block)].holders == 0 ? 1 : 0;
        }
        return found;
    }
    // Makes the blocks that match() found the first ones of an empty lease.
    template <class NameOf>
    void adopt(Lease& lease, NameOf nameOf, std::int64_t count)
    {
        for (std::int64_t i = 0; i < count; ++i)
            hold(lease, find(nameOf(i)));
        lease.named = count;
    }
    // The content of the lease's first block that was not published yet is complete and has this name from
    // now on.
    void publishNext(Lease& lease, std::uint64_t name);

private:
    static constexpr std::int32_t blank = -1;
    struct Block {
        std::uint64_t name = 0; // 0: none, the block may be given another
        std::int32_t holders = 0;
        std::uint32_t stamp = 0; // counts how often it became free
    };
    // Blank blocks that became free one after another, or a named one; void when that has found holders
    // since, or become free anew.
    struct Freed {
        std::int32_t block = blank;
        std::uint32_t stamp = 0;
        std::int64_t blanks = 0;
    };

    [[nodiscard]] std::int32_t find(std::uint64_t name) const;
    void insert(std::uint64_t name, std::int32_t block);
    void erase(std::uint64_t name, std::int32_t block);
    void hold(Lease& lease, std::int32_t block);
    std::int32_t newBlock(std::uint64_t name);
    void forget(std::int32_t block);
    void freeBlanks(std::int64_t count);
    void append(Freed freed);
    void dropVoid();
    void widenQueue();
    void widenTable();
    [[nodiscard]] bool isVoid(const Freed& freed) const
    {
        if (freed.block == blank)
            return false;
        const Block& block = m_blocks[static_cast<std::size_t>(freed.block)];
        return block.holders > 0 || block.stamp != freed.stamp;
    }
    [[nodiscard]] Freed& queued(std::uint64_t place) { return m_queue[place & (m_queue.size() - 1)]; }
    Block& at(std::int32_t block) { return m_blocks[static_cast<std::size_t>(block)]; }

    std::int64_t m_capacity;
    std::int64_t m_free;
    bool m_remembers;
    std::int64_t m_untouched = 0;         // blanks that nobody held yet: free for longer than any other
    std::vector<Block> m_blocks;          // those with a name, and those that had one
    std::vector<std::int32_t> m_nameless; // of m_blocks, those that lost it
    std::vector<Freed> m_queue; // a ring, longest free first: read and written in order, unlike a linked list
    std::uint64_t m_queueBegin = 0;
    std::uint64_t m_queueEnd = 0;
    std::vector<std::int32_t> m_table; // open addressing from name to block, -1: empty
    std::uint64_t m_mask = 0;
    std::size_t m_names = 0;
};

} // namespace headroom::serve
