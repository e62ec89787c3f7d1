#pragma once

#include "model/base/units.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace headroom::serve {

inline constexpr Seconds never{std::numeric_limits<double>::infinity()};

// Times of a fixed number of players, and who comes first: a tournament, in which one changed time costs the
// matches on its own way up. Equal times: the lower place first.
class EarliestFirst {
public:
    explicit EarliestFirst(std::size_t players)
    {
        while (m_leaves < players)
            m_leaves *= 2;
        m_winners.resize(2 * m_leaves);
        for (std::size_t i = 0; i < m_leaves; ++i)
            m_winners[m_leaves + i].player = i;
        for (std::size_t node = m_leaves - 1; node > 0; --node)
            play(node);
    }

    void set(std::size_t player, Seconds time)
    {
        Winner& its = m_winners[m_leaves + player];
        if (its.time == time)
            return;
        its.time = time;
        for (std::size_t node = (m_leaves + player) / 2; node > 0; node /= 2) {
            const std::size_t before = m_winners[node].player;
            play(node);
            if (before != player && m_winners[node].player == before)
                return; // nor is any match above another
        }
    }

    [[nodiscard]] std::size_t first() const { return m_winners[1].player; }
    [[nodiscard]] Seconds time() const { return m_winners[1].time; }

    // The earliest of all others than the first.
    [[nodiscard]] Seconds second() const { return earliestBut(first()); }

    // The earliest of all others: each met the player on his way up, or lost to one who did.
    [[nodiscard]] Seconds earliestBut(std::size_t player) const
    {
        Seconds least = never;
        for (std::size_t node = m_leaves + player; node > 1; node /= 2)
            least = std::min(least, m_winners[node ^ 1U].time);
        return least;
    }

private:
    struct Winner {
        Seconds time = never;
        std::size_t player = 0;
    };
    void play(std::size_t node)
    {
        const Winner& left = m_winners[2 * node];
        const Winner& right = m_winners[2 * node + 1];
        m_winners[node] = right.time < left.time ? right : left;
    }

    std::size_t m_leaves = 1;
    std::vector<Winner> m_winners; // of the match at each node; leaves last
};

} // namespace headroom::serve
