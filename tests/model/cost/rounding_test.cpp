#include "model/base/rounding.h"
#include "model/base/whole_power.h"

#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

using namespace headroom;

TEST_CASE("counts are rounded as the library rounds them")
{
    for (const double step : {0.001, 0.125, 1.0 / 3, 1.0, 977.3, 1e9 / 7})
        for (int i = 0; i <= 20000; ++i) {
            const double count = i * step;
            REQUIRE(roundedUp(count) == std::ceil(count));
            REQUIRE(roundedDown(count) == std::floor(count));
        }
    CHECK(roundedUp(std::nextafter(3.0, 4.0)) == 4);
    CHECK(roundedDown(std::nextafter(3.0, 2.0)) == 2);
}

TEST_CASE("a whole count over a size takes one more where anything is left")
{
    for (int size = 1; size <= 300; ++size)
        for (int count = 0; count <= 3000; ++count)
            REQUIRE(dividedUp(count, 1.0 / size) == (count + size - 1) / size);
}

TEST_CASE("a number fits into the power of two that is no less, and no smaller one")
{
    for (const double number : {0.3, 0.5, 1.0, 1.0001, 63.9, 64.0, 64.1, 255.0, 256.0, 257.0, 1e12}) {
        const double power = powerOfTwoFrom(number);
        CHECK(power == std::exp2(std::ceil(std::log2(number))));
        CHECK(power >= number);
        CHECK(power < 2 * number);
        CHECK(inverseOfPowerOfTwo(power) * power == 1);
    }
}

TEST_CASE("whole powers are powers")
{
    for (const double base : {0.0, 0.25, 0.97, 1.0, 1.5})
        for (int exponent = 0; exponent <= 40; ++exponent)
            REQUIRE(wholePower(base, exponent) == doctest::Approx(std::pow(base, exponent)).epsilon(1e-14));
}
