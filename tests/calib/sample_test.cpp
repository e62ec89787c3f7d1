#include "calib/measure/sample.h"

#include <doctest/doctest.h>

using namespace headroom;

namespace {

Sample look(SampleKind kind, double microseconds, int attempt, const char* refused = "")
{
    Sample out{.kind = kind, .index = 0, .attempt = attempt};
    out.timing.perLaunch = Seconds(microseconds * 1e-6);
    out.refused = refused;
    return out;
}

double counted(const std::vector<Sample>& samples, CountedLook which)
{
    return tabulate(samples, 1, which).points.front()->timing.perLaunch.base() * 1e6;
}

} // namespace

TEST_CASE("of several looks at a point a processor keeps the fastest, a card the newest of its blocks")
{
    // A block that was measured again while a neighbour was busy, and a second look at the end.
    const std::vector<Sample> samples{look(SampleKind::Point, 100, 0), look(SampleKind::Point, 160, 1),
                                      look(SampleKind::Repeat, 90, 0)};
    CHECK(counted(samples, CountedLook::Newest) == doctest::Approx(160));
    CHECK(counted(samples, CountedLook::Fastest) == doctest::Approx(90));
    // Either way a second look is held against the look before it.
    for (const CountedLook which : {CountedLook::Newest, CountedLook::Fastest}) {
        const SampleTable table = tabulate(samples, 1, which);
        REQUIRE(table.looks.size() == 1);
        CHECK(table.looks.front().first.perLaunch.base() == doctest::Approx(160e-6));
    }
    CHECK(countedLookOf({.kind = "cpu"}) == CountedLook::Fastest);
    CHECK(countedLookOf({.kind = "cuda"}) == CountedLook::Newest);
}

TEST_CASE("a time that does not count is no fastest look")
{
    const std::vector<Sample> samples{look(SampleKind::Point, 100, 0),
                                      look(SampleKind::Point, 10, 1, "wrong result")};
    CHECK(counted(samples, CountedLook::Fastest) == doctest::Approx(100));
    const std::vector<Sample> mended{look(SampleKind::Point, 10, 0, "wrong result"),
                                     look(SampleKind::Point, 100, 1)};
    CHECK(counted(mended, CountedLook::Fastest) == doctest::Approx(100));
}
