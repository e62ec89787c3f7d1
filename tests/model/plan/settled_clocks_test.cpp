#include "model/resolve/settled_clocks.h"

#include <doctest/doctest.h>

using namespace headroom;

TEST_CASE("what arithmetic bounds holds the rate that layers keep, type by type; priors and memory stay")
{
    SettledShares shares{};
    shares[static_cast<std::size_t>(MathUnit::Bf16)] = 0.9;
    shares[static_cast<std::size_t>(MathUnit::Fp8)] = 0.95;
    EfficiencySet set;
    for (GemmForm& form : set.gemm)
        form.computeEfficiency = 0.8;
    for (const GemmClass kind : {GemmClass::Half, GemmClass::Fp8, GemmClass::Int8})
        set.gemm[static_cast<std::size_t>(kind)].uncertainty.source = Source::MeasuredHere;
    set.prefillAttention.computeEfficiency = 0.5;
    set.prefillAttention.uncertainty.source = Source::MeasuredHere;
    const EfficiencySet settled = atSettledClocks(set, shares);
    CHECK(settled.form(GemmClass::Half).computeEfficiency == doctest::Approx(0.72));
    CHECK(settled.form(GemmClass::Half).memoryEfficiency == set.form(GemmClass::Half).memoryEfficiency);
    CHECK(settled.form(GemmClass::Fp8).computeEfficiency == doctest::Approx(0.76));
    CHECK(settled.form(GemmClass::Int8).computeEfficiency
          == doctest::Approx(0.72)); // not measured: as 16 bits
    CHECK(settled.form(GemmClass::WeightOnly4).computeEfficiency == doctest::Approx(0.8)); // a prior
    CHECK(settled.prefillAttention.computeEfficiency == doctest::Approx(0.45));
    CHECK(atSettledClocks(set, {}).gemm == set.gemm); // nothing was measured
}
