#include "model/closed_form/operating_point.h"

#include <doctest/doctest.h>

namespace headroom::tests {

TEST_CASE("The probability of staying below a limit follows the interval")
{
    const Estimate<Seconds> one{Seconds(1.0), Seconds(0.8), Seconds(1.25), Source::Prior};
    CHECK(probabilityAtMost(one, Seconds(1.0)) == doctest::Approx(0.5));
    CHECK(probabilityAtMost(one, Seconds(1.25)) == doctest::Approx(0.9));
    CHECK(probabilityAtMost(one, Seconds(0.8)) == doctest::Approx(0.1));
    CHECK(probabilityAtMost(one, Seconds(3.0)) > 0.999);
    CHECK(probabilityAtMost(one, Seconds(0.1)) < 0.001);
}

TEST_CASE("A closed interval is certain on either side")
{
    const Estimate<Seconds> exact{Seconds(1.0), Seconds(1.0), Seconds(1.0), Source::Exact};
    CHECK(probabilityAtMost(exact, Seconds(1.0)) == 1);
    CHECK(probabilityAtMost(exact, Seconds(0.99)) == 0);
    CHECK(probabilityAtMost(exact, Seconds(1.01)) == 1);
}

TEST_CASE("Confidence multiplies decode and prefill, and takes the worse of what decode shares")
{
    OperatingPoint point;
    point.tpot = {Seconds(0.05), Seconds(0.04), Seconds(0.0625), Source::Prior};
    point.ttft = {Seconds(1.0), Seconds(0.8), Seconds(1.25), Source::Prior};
    point.latency = {Seconds(10), Seconds(8), Seconds(12.5), Source::Prior};
    Targets targets;
    CHECK(confidenceOf(point, targets) == 1);
    targets.tokensPerSecond = 20;
    CHECK(confidenceOf(point, targets) == doctest::Approx(0.5));
    targets.ttft = Seconds(1.25);
    CHECK(confidenceOf(point, targets) == doctest::Approx(0.45));
    targets.latency = Seconds(12.5);
    CHECK(confidenceOf(point, targets) == doctest::Approx(0.45)); // latency is surer than the speed it shares
    CHECK(missedTarget(point, targets) == TargetKind::None);
    targets.tokensPerSecond = 25;
    CHECK(missedTarget(point, targets) == TargetKind::Speed);
}

} // namespace headroom::tests
