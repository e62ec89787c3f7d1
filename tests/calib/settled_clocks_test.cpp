#include "calib/judge/settled_clocks.h"

#include <doctest/doctest.h>

using namespace headroom;

TEST_CASE(
    "what arithmetic bounds holds the rate at which clocks settle, type by type; what was not measured stays")
{
    RatesByUnit burst{};
    RatesByUnit sustained{};
    const auto bf16 = static_cast<std::size_t>(MathUnit::Bf16);
    const auto fp8 = static_cast<std::size_t>(MathUnit::Fp8);
    burst[bf16] = FlopsPerSecond(800e12);
    sustained[bf16] = FlopsPerSecond(640e12);
    burst[fp8] = sustained[fp8] = FlopsPerSecond(1400e12);
    EfficiencySet set;
    for (GemmForm& form : set.gemm)
        form.computeEfficiency = 0.8;
    set.gemm[static_cast<std::size_t>(GemmClass::Half)].uncertainty.source = Source::MeasuredHere;
    set.gemm[static_cast<std::size_t>(GemmClass::Fp8)].uncertainty.source = Source::MeasuredHere;
    set.prefillAttention.computeEfficiency = 0.5;
    set.prefillAttention.uncertainty.source = Source::MeasuredHere;
    const SettledForms settled = atSettledClocks(set, sustained, burst);
    CHECK(settled.set.form(GemmClass::Half).computeEfficiency == doctest::Approx(0.64));
    CHECK(settled.set.form(GemmClass::Half).memoryEfficiency == set.form(GemmClass::Half).memoryEfficiency);
    CHECK(settled.set.form(GemmClass::Fp8).computeEfficiency == doctest::Approx(0.8));
    CHECK(settled.set.form(GemmClass::WeightOnly4).computeEfficiency == doctest::Approx(0.8)); // a prior
    CHECK(settled.set.prefillAttention.computeEfficiency == doctest::Approx(0.4));
    REQUIRE(settled.notes.size() == 1);
    CHECK(settled.notes.front().find("bf16 products settle at 80 %") == 0);
}

TEST_CASE("a rate that was not measured, or fell by half, changes nothing")
{
    EfficiencySet set;
    set.gemm[static_cast<std::size_t>(GemmClass::Half)].uncertainty.source = Source::MeasuredHere;
    const double before = set.form(GemmClass::Half).computeEfficiency;
    const auto bf16 = static_cast<std::size_t>(MathUnit::Bf16);
    for (const auto& [slow, fast] : {std::pair{0.0, 1e12}, {1e12, 0.0}, {0.4e12, 1e12}}) {
        RatesByUnit burst{};
        RatesByUnit sustained{};
        sustained[bf16] = FlopsPerSecond(slow);
        burst[bf16] = FlopsPerSecond(fast);
        const SettledForms settled = atSettledClocks(set, sustained, burst);
        CHECK(settled.set.form(GemmClass::Half).computeEfficiency == before);
        CHECK(settled.notes.empty());
    }
}
