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
        m_times.assign(players, never);
        m_winners.resize(2 * m_leaves);
        for (std::size_t i = 0; i < m_leaves; ++i)
            m_winners[m_leaves + i] = i;
        for (std::size_t node = m_leaves - 1; node > 0; --node)
            play(node);
    }

    void set(std::size_t player, Seconds time)
    {
        if (m_times[player] == time)
            return;
        m_times[player] = time;
        for (std::size_t node = (m_leaves + player) / 2; node > 0; node /= 2)
            play(node);
    }

    [[nodiscard]] std::size_t first() const { return m_winners[1]; }
    [[nodiscard]] Seconds time() const { return of(first()); }

    // The earliest of all others than the first.
    [[nodiscard]] Seconds second() const { return earliestBut(first()); }

    // The earliest of all others: each met the player on his way up, or lost to one who did.
    [[nodiscard]] Seconds earliestBut(std::size_t player) const
    {
        Seconds least = never;
        for (std::size_t node = m_leaves + player; node > 1; node /= 2)
            least = std::min(least, of(m_winners[node ^ 1U]));
        return least;
    }

private:
    [[nodiscard]] Seconds of(std::size_t player) const
    {
        return player < m_times.size() ? m_times[player] : never;
    }
    void play(std::size_t node)
    {
        const std::size_t left = m_winners[2 * node];
        const std::size_t right = m_winners[2 * node + 1];
        m_winners[node] = of(right) < of(left) ? right : left;
    }

    std::size_t m_leaves = 1;
    std::vector<Seconds> m_times;
    std::vector<std::size_t> m_winners; // of the match at each node; leaves last
};

} // namespace headroom::serve
