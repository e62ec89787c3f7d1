#include "model/scenario/length_distribution.h"

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace headroom;

TEST_CASE("a length is a number, thousands are written with k")
{
    CHECK(lengthsFromText("1024")->mean() == 1024);
    CHECK(lengthsFromText("8k")->mean() == 8192);
    CHECK(lengthsFromText("8K")->quantile(0.99) == 8192);
}

TEST_CASE("a log-normal of a mean and a percentile has both")
{
    const auto lengths = lengthsFromText("lognormal:mean=1155,p99=7000");
    REQUIRE(lengths);
    CHECK(lengths->mean() == doctest::Approx(1155).epsilon(1e-9));
    CHECK(lengths->quantile(0.99) == doctest::Approx(7000).epsilon(1e-6));
    // The share below the median by the definition of the error function, not by the code's own quantile.
    const double median = lengths->quantile(0.5);
    const double z = (std::log(median) - lengths->lnMean) / lengths->lnSpread;
    CHECK(0.5 * std::erfc(-z / std::sqrt(2.0)) == doctest::Approx(0.5).epsilon(1e-8));
}

TEST_CASE("quantiles of the normal law agree with the error function far into both tails")
{
    LengthDistribution lengths;
    lengths.kind = LengthDistribution::Kind::LogNormal;
    lengths.lnMean = 0;
    lengths.lnSpread = 1;
    for (const double p : {1e-6, 0.001, 0.02, 0.3, 0.5, 0.9, 0.975, 0.999, 1 - 1e-6}) {
        const double z = std::log(lengths.quantile(p));
        CHECK(0.5 * std::erfc(-z / std::sqrt(2.0)) == doctest::Approx(p).epsilon(1e-7));
    }
}

TEST_CASE("samples have the mean of their distribution and repeat with their seed")
{
    const auto lengths = lengthsFromText("uniform:128-2048");
    REQUIRE(lengths);
    std::mt19937_64 random(7);
    std::mt19937_64 same(7);
    double sum = 0;
    constexpr int count = 20000;
    for (int i = 0; i < count; ++i) {
        const double one = lengths->sample(random);
        CHECK_EQ(one, lengths->sample(same));
        CHECK_GE(one, 128);
        CHECK_LE(one, 2048);
        sum += one;
    }
    // The mean of n uniform draws has a standard error of width / sqrt(12 n); five of them never happen.
    CHECK(std::abs(sum / count - 1088) < 5 * 1920 / std::sqrt(12.0 * count));
}

TEST_CASE("lengths that were counted have the quantiles of their ranks")
{
    const LengthDistribution lengths = LengthDistribution::empirical({30, 10, 20, 40});
    CHECK(lengths.mean() == 25);
    CHECK(lengths.quantile(0) == 10);
    CHECK(lengths.quantile(0.5) == 20);
    CHECK(lengths.quantile(0.51) == 30);
    CHECK(lengths.quantile(1) == 40);
}

TEST_CASE("what is no length is refused with examples")
{
    for (const char* text :
         {"", "0", "-5", "abc", "1e12", "nan", "inf", "uniform:", "uniform:10", "uniform:20-10",
          "lognormal:", "lognormal:mean=10", "lognormal:mean=100,p99=50", "lognormal:mean=1,p99=1000",
          "lognormal:mean=100,p20=90", "lognormal:mean=100,p99=7000,x=1", "file:", "uniform:1-2-3"}) {
        CAPTURE(text);
        const auto lengths = lengthsFromText(text);
        REQUIRE_FALSE(lengths);
        CHECK_FALSE(lengths.error().front().hint.empty());
    }
}
