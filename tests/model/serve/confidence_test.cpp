#include "model/serve/confidence.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

using namespace headroom::serve;

TEST_CASE("ranks around a percentile are those of the binomial tables")
{
    // Conover, Practical Nonparametric Statistics, table A3: n = 20, p = 0.5 leaves 2.07 % up to five.
    CHECK(ranksAround(50, 20) == RankInterval{6, 15});
    CHECK(ranksAround(50, 100) == RankInterval{40, 61});
    CHECK(ranksAround(50, 5) == RankInterval{}); // 1/32 lies on either side: more than 2.5 %
    CHECK(ranksAround(50, 6) == RankInterval{1, 6});
    // 0.9^n <= 2.5 % from n = 36 on: below that the largest of n may lie under the 90th percentile.
    CHECK_FALSE(ranksAround(90, 35).high);
    CHECK(ranksAround(90, 36).high == 36);
    CHECK(ranksAround(50, 0) == RankInterval{});
    const RankInterval many = ranksAround(50, 1'000'000); // the normal law: 1.96 sqrt(n) / 2
    CHECK(*many.low == doctest::Approx(500'000 - 980).epsilon(1e-5));
    CHECK(*many.high == doctest::Approx(500'000 + 980).epsilon(1e-5));
}

TEST_CASE("shares have the bounds of Clopper and Pearson")
{
    const auto check = [](std::int64_t met, std::int64_t count, double low, double high) {
        const ShareInterval share = shareAround(met, count);
        CHECK(share.low == doctest::Approx(low).epsilon(1e-4));
        CHECK(share.high == doctest::Approx(high).epsilon(1e-4));
    };
    // Their paper's example and closed forms: 1 - 0.025^(1/n) where none is met.
    check(0, 10, 0, 0.30850);
    check(10, 10, 0.69150, 1);
    check(5, 10, 0.18709, 0.81291);
    check(0, 0, 0, 1);
    check(90, 100, 0.82378, 0.95099);
}

TEST_CASE("an interval holds the true percentile as often as it says")
{
    std::mt19937_64 random(3);
    std::exponential_distribution<double> times(1);
    const double truth = -std::log(0.1); // 90th percentile
    const RankInterval ranks = ranksAround(90, 200);
    int held = 0;
    for (int run = 0; run < 1000; ++run) {
        std::vector<double> sample(200);
        for (double& time : sample)
            time = times(random);
        std::sort(sample.begin(), sample.end());
        held += sample[std::size_t(*ranks.low - 1)] <= truth && truth <= sample[std::size_t(*ranks.high - 1)]
            ? 1
            : 0;
    }
    CHECK(held >= 940);
}
