#include "model/serve/kv_pool.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

using headroom::serve::KvPool;

namespace {

// The same pool as its rule reads: a list of free blocks, longest free first, and names written on blocks.
class NaivePool {
public:
    explicit NaivePool(int blocks) : m_names(static_cast<std::size_t>(blocks)), m_holders(m_names.size())
    {
        for (int i = 0; i < blocks; ++i)
            m_free.push_back(i);
    }
    int free() const { return static_cast<int>(m_free.size()); }
    int find(std::uint64_t name) const
    {
        const auto at = std::find(m_names.begin(), m_names.end(), name);
        return at == m_names.end() ? -1 : static_cast<int>(at - m_names.begin());
    }
    // A text's leading blocks, at most `limit` of them.
    KvPool::Match match(int text, std::int64_t limit) const;
    int take()
    {
        const int block = m_free.front();
        m_free.pop_front();
        m_names[static_cast<std::size_t>(block)] = 0;
        m_holders[static_cast<std::size_t>(block)] = 1;
        return block;
    }
    bool adopt(int block) // whether nobody held it
    {
        const bool unused = m_holders[static_cast<std::size_t>(block)]++ == 0;
        if (unused)
            m_free.erase(std::find(m_free.begin(), m_free.end(), block));
        return unused;
    }
    void release(const std::vector<int>& blocks)
    {
        for (auto block = blocks.rbegin(); block != blocks.rend(); ++block)
            if (--m_holders[static_cast<std::size_t>(*block)] == 0)
                m_free.push_back(*block);
    }
    void publish(int block, std::uint64_t name)
    {
        if (m_names[static_cast<std::size_t>(block)] == 0 && find(name) < 0)
            m_names[static_cast<std::size_t>(block)] = name;
    }

private:
    std::deque<int> m_free;
    std::vector<std::uint64_t> m_names;
    std::vector<int> m_holders;
};

struct Sequence {
    KvPool::Lease lease;
    std::vector<int> blocks;
    int text = 0; // which of a few texts it begins with
};

std::uint64_t nameOf(int text, std::int64_t index)
{
    // Texts 0 and 1 share their first 20 blocks, as conversations with one system prompt do.
    const int owner = text == 1 && index < 20 ? 0 : text;
    return 1 + static_cast<std::uint64_t>(owner) * 1000 + static_cast<std::uint64_t>(index);
}

KvPool::Match NaivePool::match(int text, std::int64_t limit) const
{
    KvPool::Match match;
    for (int block; match.blocks < limit && (block = find(nameOf(text, match.blocks))) >= 0; ++match.blocks)
        match.unused += m_holders[static_cast<std::size_t>(block)] == 0 ? 1 : 0;
    return match;
}

void playBoth(int capacity, std::uint64_t seed, int steps)
{
    KvPool pool(capacity, true);
    NaivePool naive(capacity);
    std::vector<Sequence> running;
    std::mt19937_64 random(seed);
    const auto below = [&random](std::int64_t n) {
        return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(n));
    };
    const auto grow = [&](Sequence& s, std::int64_t blocks) {
        pool.grow(s.lease, s.lease.blocks + blocks);
        while (std::ssize(s.blocks) < s.lease.blocks)
            s.blocks.push_back(naive.take());
    };
    for (int step = 0; step < steps; ++step) {
        if (running.empty() || below(3) == 0) {
            Sequence s;
            s.text = static_cast<int>(below(12));
            const auto name = [&s](std::int64_t i) { return nameOf(s.text, i); };
            const KvPool::Match match = pool.match(name, below(60) + 1);
            std::int64_t unused = 0;
            for (std::int64_t i = 0; i < match.blocks; ++i) {
                s.blocks.push_back(naive.find(name(i)));
                REQUIRE(s.blocks.back() >= 0);
                unused += naive.adopt(s.blocks.back()) ? 1 : 0;
            }
            REQUIRE(match.unused == unused);
            pool.adopt(s.lease, name, match.blocks);
            grow(s, std::min<std::int64_t>(pool.free(), below(40)));
            running.push_back(std::move(s));
        } else if (below(2) == 0) {
            Sequence& s = running[static_cast<std::size_t>(below(std::ssize(running)))];
            grow(s, std::min<std::int64_t>(pool.free(), below(8)));
            const std::int64_t complete = s.lease.blocks - below(3); // the last ones are still written to
            while (s.lease.named < complete) {
                const std::int64_t next = s.lease.named;
                naive.publish(s.blocks[static_cast<std::size_t>(next)], nameOf(s.text, next));
                pool.publishNext(s.lease, nameOf(s.text, next));
                REQUIRE(s.lease.named == next + 1);
            }
        } else {
            const auto at = running.begin() + below(std::ssize(running));
            naive.release(at->blocks);
            pool.release(at->lease);
            running.erase(at);
        }
        REQUIRE(pool.free() == naive.free());
        // What a text would find says which blocks lost their names, and in which order.
        if (step % 4 == 0) {
            const int text = static_cast<int>(below(12));
            const KvPool::Match match = pool.match([text](std::int64_t i) { return nameOf(text, i); }, 60);
            const KvPool::Match wanted = naive.match(text, 60);
            REQUIRE(match.blocks == wanted.blocks);
            REQUIRE(match.unused == wanted.unused);
        }
    }
}

} // namespace

TEST_CASE("a remembering pool hands out the blocks that its rule names, from one block to thousands")
{
    for (const int capacity : {1, 7, 64, 300, 5000})
        for (std::uint64_t seed = 1; seed <= 6; ++seed)
            playBoth(capacity, seed, 600);
}
