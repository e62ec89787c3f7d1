#include "calib/validate/version_ladder.h"

#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

using namespace headroom;

TEST_CASE("a class is of the newest year that its id, its version or its other names tell")
{
    CHECK(yearOf({.id = "vllm", .version = "0.14 to 0.27 (2026)"}) == 2026);
    CHECK(yearOf({.id = "sglang-2026-q1", .version = "0.5.7 to 0.5.9"}) == 2026);
    CHECK(yearOf({.id = "sglang-2025", .aliases = {"sglang 2024"}}) == 2025);
    CHECK(yearOf({.id = "vllm-v0", .version = "0.6.6.post1", .aliases = {"vllm 0.7", "vllm 2024"}}) == 2024);
    CHECK_FALSE(yearOf({.id = "llama-cpp", .version = "b6000 class 20261 1999"}));
}

TEST_CASE("gains are of each year on the next that is known, and a single year has none")
{
    const std::vector<double> gains = lnGainsPerYear({{2026, 2}, {2023, 32}, {2025, 8}, {2025, 2}});
    REQUIRE(gains.size() == 2);
    CHECK(gains[0] == doctest::Approx(std::log(32.0 / 4) / 2)); // two years
    CHECK(gains[1] == doctest::Approx(std::log(4.0 / 2)));
    CHECK(lnGainsPerYear({{2025, 8}, {2025, 2}}).empty());
}

TEST_CASE(
    "a class between two in time has what lies between them, and beyond the last what it would be by then")
{
    const std::vector<Relative> line{{.number = {2024, 9}}, {.number = {2026, 1}}};
    const double threefold = std::log(3);
    CHECK(likelyIn(2025, line, threefold) == doctest::Approx(3));
    CHECK(likelyIn(2025, line, 0) == doctest::Approx(3));
    // Where nothing is gained in a year, the nearest has ten times the weight of one a year farther.
    CHECK(likelyIn(2023, line, threefold) == doctest::Approx(27));
    CHECK(likelyIn(2027, {{.number = {2026, 10}}, {.number = {2025, 1}}}, 0)
          == doctest::Approx(std::pow(10, 10.0 / 11)));
}

TEST_CASE("another engine and another generation of accelerators each say as much less as another year")
{
    const Relative own{.number = {2026, 1}};
    const double next = std::pow(10, 1.0 / 11);
    CHECK(likelyIn(2026, {own, {.number = {2025, 10}}}, 0) == doctest::Approx(next));
    CHECK(likelyIn(2026, {own, {.number = {2026, 10}, .sameHost = false}}, 0) == doctest::Approx(next));
    CHECK(likelyIn(2026, {own, {.number = {2026, 10}, .samePlatform = false}}, 0) == doctest::Approx(next));
    CHECK(likelyIn(2026, {own, {.number = {2026, 10}, .sameEngine = false}}, 0) == doctest::Approx(next));
    CHECK(likelyIn(2026, {own, {.number = {2026, 10}, .sameGeneration = false}}, 0) == doctest::Approx(next));
    CHECK(likelyIn(2026, {own, {.number = {2026, 10}, .sameEngine = false, .sameGeneration = false}}, 0)
          == doctest::Approx(std::pow(10, 1.0 / 101)));
}

TEST_CASE("of one engine, classes apart count in place of years, and how much less is told")
{
    // One of the same year but two classes on: a quarter of a half, and one next to it.
    const std::vector<Relative> kin{{.number = {2026, 16}, .classesApart = 2},
                                    {.number = {2024, 1}, .classesApart = 1}};
    CHECK(likelyIn(2026, kin, 0, 0.5) == doctest::Approx(std::pow(16, 0.25 / 0.75)));
}

TEST_CASE("a class's newest version is the highest outside brackets, part by part")
{
    CHECK(newestVersionOf({.version = "0.14 to 0.27 (2026)"}) == std::vector{0, 27});
    CHECK(newestVersionOf({.version = "0.5.7 to 0.5.19"}) == std::vector{0, 5, 19});
    CHECK(newestVersionOf({.version = "0.5.2 (rocm/7.0 sgl-dev)"}) == std::vector{0, 5, 2});
    CHECK(newestVersionOf({.version = "0.6.6.post1"}) == std::vector{0, 6, 6});
    CHECK(newestVersionOf({.version = "main"}).empty());
}

TEST_CASE("two classes are as many places apart as newer versions lie between them, their own included")
{
    const std::set<std::vector<int>> versions{{0, 7}, {0, 13}, {0, 27}};
    const auto apart = [&](const char* a, const char* b) {
        return classesApart({.version = a}, {.version = b}, versions);
    };
    CHECK(apart("0.7", "0.7") == 0);
    CHECK(apart("0.7", "0.13") == 1);
    CHECK(apart("0.27", "0.7") == 2);
    CHECK(apart("0.13", "0.20") == 1); // a class of which no run is known stands between its neighbours
    CHECK(apart("0.20", "0.27") == 1);
}
