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

TEST_CASE("the rank that meets most experts: draws without replacement, counted out")
{
    // One token chooses 8 of 128 experts on two ranks: the rank with more has 5.059 of them on average, the
    // sum of max(i, 8 - i) C(64, i) C(64, 8 - i) / C(128, 8): normal values come within 2 % of it.
    CHECK(mostMet(2, 128, 8) == doctest::Approx(5.059).epsilon(0.02));
    // 29 of 256 on eight ranks of 32, and 64 of them on sixteen: 100,000 and 20,000 draws.
    CHECK(mostMet(8, 256, 29) == doctest::Approx(6.329).epsilon(0.03));
    CHECK(mostMet(16, 256, 64) == doctest::Approx(7.203).epsilon(0.03));
    CHECK(mostMet(1, 128, 27) == 27);
    CHECK(mostMet(8, 256, 256) == 32); // all are met
    CHECK(mostMet(64, 256, 3.9) <= 3.9);
    double before = 1;
    for (const int ranks : {2, 4, 8, 16}) { // never fewer than the mean, never more than all
        const double most = mostMet(ranks, 256, 64) * ranks / 64;
        CHECK(most > before);
        CHECK(most < ranks);
        before = most;
    }
}
