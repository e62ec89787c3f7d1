#include "model/closed_form/rules_of_thumb.h"

#include <doctest/doctest.h>

using namespace headroom;
using namespace headroom::literals;

TEST_CASE("without a cache ten A100 give 10.3 answers of one token a second")
{
    // 10 x 312e12 x 0.462 / (2 x 70e9 x 1000) = 10.296
    const TokensPerSecond answers = tokensPerSecondWithoutCache(10, 312.0_TFLOP_per_s, 0.462, 70e9, 1000);
    CHECK(answers.base() == doctest::Approx(10.296).epsilon(1e-9));
}

TEST_CASE("a 7B model in 16 and 8 bit is read in 14.1 and 7.0 ms at 1,008 GB/s")
{
    CHECK(weightReadingTime(14.2_GB, 1008.0_GB_per_s).base() == doctest::Approx(14.1e-3).epsilon(0.002));
    CHECK(weightReadingTime(7.1_GB, 1008.0_GB_per_s).base() == doctest::Approx(7.0e-3).epsilon(0.01));
}

TEST_CASE("reading speeds become targets")
{
    REQUIRE(readingSpeeds().size() == 3);
    const double expectedTpot[] = {0.16, 0.0889, 0.0571};
    const double expectedRate[] = {6.25, 11.25, 17.5};
    for (std::size_t i = 0; i < 3; ++i) {
        const Seconds tpot = tpotForReading(readingSpeeds()[i].wordsPerMinute, tokensPerWord);
        CHECK(tpot.base() == doctest::Approx(expectedTpot[i]).epsilon(1e-3));
        CHECK(1 / tpot.base() == doctest::Approx(expectedRate[i]).epsilon(1e-9));
    }
}

TEST_CASE("a forward pass takes two operations for each weight and token")
{
    CHECK(forwardFlops(70e9, 1000).base() == 1.4e14);
}
