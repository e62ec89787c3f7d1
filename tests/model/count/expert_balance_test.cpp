#include "model/count/expert_balance.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;

namespace {
constexpr double many = 1e12; // pairs of token and expert: no luck of the draw
}

TEST_CASE("published: the busiest of 16 ranks with 56 experts each, and of 32 with 8")
{
    // vLLM pull request 50647: 1.069 as routed, 1.008 balanced; LMSYS 2025-05: at least 1.49 as routed. One
    // law lies between the two models.
    const double kimi = busiestRank(ExpertBalance::AsRouted, 16, 56, many);
    const double deepseek = busiestRank(ExpertBalance::AsRouted, 32, 8, many);
    CHECK(kimi == doctest::Approx(1.069).epsilon(0.05));
    CHECK(deepseek > 1.25);
    CHECK(deepseek < 1.49);
    CHECK(busiestRank(ExpertBalance::Balanced, 16, 56, many) == doctest::Approx(1.008).epsilon(0.001));
}

TEST_CASE(
    "the busiest rank: more ranks, fewer experts and fewer tokens make it busier, a balancer never does")
{
    CHECK(busiestRank(ExpertBalance::AsRouted, 1, 256, 8) == 1);
    double before = 1;
    for (const int ranks : {2, 4, 8, 16, 32, 64}) {
        const double busiest = busiestRank(ExpertBalance::AsRouted, ranks, 256.0 / ranks, many);
        CHECK(busiest > before);
        CHECK(busiestRank(ExpertBalance::Balanced, ranks, 256.0 / ranks, many) < busiest);
        CHECK(busiestRank(ExpertBalance::AsRouted, ranks, 256.0 / ranks, 64) > busiest);
        before = busiest;
    }
    // Expected largest of normal values (Harter 1961): 0.564 of 2, 1.424 of 8, 2.070 of 32.
    for (const auto& [ranks, largest] : {std::pair(2, 0.564), std::pair(8, 1.424), std::pair(32, 2.070)})
        CHECK((busiestRank(ExpertBalance::AsRouted, ranks, 1e12, 10000) - 1) * 100
              == doctest::Approx(largest).epsilon(0.02));
    // One pair of token and expert: all of it is on one rank.
    CHECK(busiestRank(ExpertBalance::AsRouted, 4, 1, 1e-9) == 4);
}
