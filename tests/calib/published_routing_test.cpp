#include "calib/tools/published_routing.h"
#include "model/count/op_work.h"

#include <doctest/doctest.h>

using namespace headroom;

TEST_CASE("dealt in turn, every expert gets its share and a rank its part of the rows")
{
    PublishedRouting routing;
    const RankLoad whole = routing.load("balanced", 256, 128, 8, 1);
    CHECK(whole.rows == 256 * 8);
    CHECK(whole.experts == 128);
    const RankLoad part = routing.load("balanced", 256, 128, 8, 4);
    CHECK(part.rows == 256 * 8 / 4);
    CHECK(part.experts == 32);
    CHECK(part.lnSpread == 0);
    // One token takes 8 experts, 16 apart: two of them stand on the first of four ranks.
    const RankLoad one = routing.load("balanced", 1, 128, 8, 4);
    CHECK(one.rows == 2);
    CHECK(one.experts == 2);
}

TEST_CASE("a power law keeps all rows, leaves more experts idle, and loads one rank above its share")
{
    PublishedRouting routing;
    for (const int tokens : {4, 64, 1024}) {
        const RankLoad whole = routing.load("power_law_1.2", tokens, 256, 8, 1);
        CHECK(whole.rows == doctest::Approx(tokens * 8));
        CHECK(whole.experts <= 256);
        CHECK(whole.experts >= 8);
        const RankLoad part = routing.load("power_law_1.2", tokens, 256, 8, 16);
        CHECK(part.rows > tokens * 8 / 16.0);
    }
    // Shares between one token and four fifths of all fall off as their power: far from even.
    CHECK(routing.load("power_law_1.2", 64, 256, 8, 1).experts < 0.9 * distinctExperts(256, 8, 64));
    CHECK(routing.load("power_law_1.2", 16, 256, 8, 32).lnSpread > 0.1); // a few rows: chance decides
}
