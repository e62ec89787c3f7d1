#include "model/serve/earliest_first.h"

#include <doctest/doctest.h>

#include <random>

namespace headroom::serve::tests {

TEST_CASE("The tournament's first and second are those that looking at everyone finds")
{
    std::mt19937 random(3);
    for (const std::size_t players : {1U, 2U, 3U, 7U, 8U, 33U}) {
        EarliestFirst starts(players);
        std::vector<Seconds> times(players, serve::never);
        CHECK(starts.time() == serve::never);
        for (int change = 0; change < 400; ++change) {
            const std::size_t who = random() % players;
            times[who] = random() % 9 == 0 ? serve::never : Seconds(static_cast<double>(random() % 20));
            starts.set(who, times[who]);
            const auto first = std::min_element(times.begin(), times.end());
            Seconds second = serve::never;
            for (auto other = times.begin(); other != times.end(); ++other)
                if (other != first)
                    second = std::min(second, *other);
            REQUIRE(starts.time() == *first);
            if (*first < serve::never)
                REQUIRE(starts.first() == static_cast<std::size_t>(first - times.begin()));
            REQUIRE(starts.second() == second);
            const std::size_t left = random() % players;
            Seconds others = serve::never;
            for (std::size_t i = 0; i < players; ++i)
                if (i != left)
                    others = std::min(others, times[i]);
            REQUIRE(starts.earliestBut(left) == others);
        }
    }
}

} // namespace headroom::serve::tests
