#include "kernels/launch_plan.h"

#include <doctest/doctest.h>

#include <initializer_list>

using namespace headroom;
using namespace headroom::kernels;

namespace {
constexpr Bytes cold(250e6); // five times 50 MB
constexpr Bytes matrix(100e6);
constexpr Bytes row(32e3);
} // namespace

TEST_CASE("one launch needs no graph; a graph holds what was asked for, not more")
{
    CHECK(planLaunches({.launches = 1, .copies = 4, .set = matrix, .cold = cold}) == LaunchPlan{1, 1, false});
    for (const int launches : {2, 5, 20})
        CHECK(planLaunches({.launches = launches, .copies = 1}).launches() == launches);
    CHECK(planLaunches({.launches = 100000, .copies = 1}).launches() >= 100000);
    CHECK(planLaunches({.launches = 100000, .copies = 1}).launches() < 110000);
}

TEST_CASE("a set is used again only after five caches were read, or after the caches were emptied")
{
    for (const Bytes set : {row, Bytes(1e6), Bytes(30e6), matrix, Bytes(1e9)}) {
        const int copies = copiesFor(set, cold, Bytes(40e9));
        for (const int launches : {2, 7, 60, 1000, 30000}) {
            const LaunchPlan plan
                = planLaunches({.launches = launches, .copies = copies, .set = set, .cold = cold});
            CHECK(plan.launches() >= launches);
            // Between two uses of a set within a replay lie all others, or none is used twice in it.
            const double within = plan.each > copies ? set.base() * copies : cold.base();
            CHECK(within >= cold.base());
            if (plan.each > copies)
                CHECK(plan.each % copies == 0);
            if (!plan.emptied) // the last replay left nothing
                CHECK(set.base() * plan.each >= cold.base());
        }
    }
}

TEST_CASE("operands that may be in cache are one set, and nothing is emptied for them")
{
    CHECK(copiesFor(row, Bytes(), Bytes(1e9)) == 1);
    CHECK_FALSE(planLaunches({.launches = 5000, .copies = 1, .set = row}).emptied);
}

TEST_CASE("little memory gives few sets")
{
    CHECK(copiesFor(matrix, cold, Bytes(250e6)) == 2);
    CHECK(copiesFor(matrix, cold, Bytes(1)) == 1);
}

TEST_CASE("a recorded graph is used again unless it is longer than asked for or many times shorter")
{
    const auto eachAfter = [](int recorded, int launches) {
        return planLaunches({.launches = launches, .copies = 1, .recorded = recorded}).each;
    };
    CHECK(eachAfter(10, 10) == 10);
    CHECK(eachAfter(10, 40) == 10); // the clock is asked over stretches of one length and of four
    CHECK(eachAfter(10, 9) == 9);
    CHECK(eachAfter(10, 800) == 800);
}
