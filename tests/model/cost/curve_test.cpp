#include "model/cost/curve.h"

#include <doctest/doctest.h>

using namespace headroom;

TEST_CASE("a curve is its law to a millionth, for every exponent that a fit may find")
{
    for (const double p : {1.03, 1.17, 1.56, 2.5, 3.0, 6.0, 8.0})
        for (int i = 0; i <= 10000; ++i) {
            const double r = i / 10000.0;
            const double exact = std::pow(1 + std::pow(r, p), 1 / p);
            REQUIRE(std::abs(curveOf<JoinedCurve>(p)(r) / exact - 1) < 1e-6);
            const double near0 = r * r * r * r * r;
            const double small = std::pow(1 + std::pow(near0, p), 1 / p);
            REQUIRE(std::abs(curveOf<JoinedCurve>(p)(near0) / small - 1) < 1e-6);
        }
}

TEST_CASE("a power of a loss is right to the last digits but one")
{
    for (const double p : {0.05, 0.1, 0.35, 0.6744, 0.99, 1.0, 1.2, 1.63, 3.0})
        for (int i = 0; i <= 10000; ++i) {
            const double x = 1 + i * 0.0255;
            REQUIRE(std::abs(curveOf<PowerOfLoss>(p)(x) / std::pow(x, p) - 1) < 2e-14);
        }
}

TEST_CASE("a curve rises where its law rises")
{
    const JoinedCurve& curve = curveOf<JoinedCurve>(1.2);
    for (int i = 1; i <= 100000; ++i)
        REQUIRE(curve(i / 100000.0) >= curve((i - 1) / 100000.0));
}

TEST_CASE("more exponents than are kept are all answered rightly")
{
    for (int round = 0; round < 2; ++round)
        for (int i = 0; i < 200; ++i) {
            const double p = 1.1 + i * 0.01;
            CHECK(curveOf<JoinedCurve>(p)(1) == doctest::Approx(std::pow(2, 1 / p)).epsilon(1e-9));
        }
}
