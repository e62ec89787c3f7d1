#include "calib/validate/version_ladder.h"

#include <doctest/doctest.h>

#include <cmath>

using namespace headroom;

TEST_CASE("the newest version is that after \"to\", else the first, number by number")
{
    CHECK(newestVersion("0.14 to 0.27 (2026)") == std::vector{0, 27});
    CHECK(newestVersion("0.6.6.post1") == std::vector{0, 6, 6});
    CHECK(newestVersion("0.2 class (2023)") == std::vector{0, 2});
    CHECK(newestVersion("b6000 class").empty());
    CHECK(newestVersion("0.9") < newestVersion("0.11 class"));
}

TEST_CASE("a class older than all that are known is slower than the oldest by what classes gain on the next")
{
    const std::vector<VersionedValue> known{{{0, 27}, 1}, {{0, 6, 6}, 16}, {{0, 11}, 4}};
    const double gain = std::log(3);
    const std::optional<double> older = beforeTheOldest(known, {0, 2}, gain);
    REQUIRE(older.has_value());
    CHECK(*older == doctest::Approx(48));
    CHECK(!beforeTheOldest(known, {0, 8}, gain)); // between two: no older one
    CHECK(!beforeTheOldest(known, {0, 29}, gain));
    CHECK(!beforeTheOldest({}, {0, 2}, gain));
    // Where classes grow slower with their versions, an older one is not taken to be faster than the oldest.
    CHECK(beforeTheOldest(known, {0, 2}, -gain).value_or(16) == doctest::Approx(16));
}

TEST_CASE("gains are of each class on the next, and a single class has none")
{
    const std::vector<double> gains = lnGains({{{0, 27}, 2}, {{0, 6}, 16}, {{0, 11}, 4}});
    REQUIRE(gains.size() == 2);
    CHECK(gains[0] == doctest::Approx(std::log(4)));
    CHECK(gains[1] == doctest::Approx(std::log(2)));
    CHECK(lnGains({{{0, 6}, 16}}).empty());
}
