#include "calib/judge/settled_clocks.h"

#include <algorithm>
#include <fmt/format.h>

namespace headroom {

namespace {

MathUnit unitOf(GemmClass kind)
{
    switch (kind) {
    case GemmClass::Fp8:
        return MathUnit::Fp8;
    case GemmClass::Int8:
        return MathUnit::Int8;
    case GemmClass::Fp32:
        return MathUnit::Fp32;
    default: // 16 bits, and narrower weights widened to them
        return MathUnit::Bf16;
    }
}

// Sustained over burst; 1 where either is unknown, or where the difference is noise or no clock's doing.
double settledShare(FlopsPerSecond sustained, FlopsPerSecond burst)
{
    constexpr double least = 0.5; // no card settles below half of its clock
    if (!(burst.base() > 0) || !(sustained.base() > 0) || sustained.base() < least * burst.base())
        return 1;
    return std::min(sustained / burst, 1.0);
}

} // namespace

SettledForms atSettledClocks(EfficiencySet set, const RatesByUnit& sustained, const RatesByUnit& burst)
{
    const auto shareOf = [&](MathUnit unit) {
        return settledShare(sustained[static_cast<std::size_t>(unit)], burst[static_cast<std::size_t>(unit)]);
    };
    SettledForms out{.set = std::move(set), .notes = {}};
    const auto settle = [&](auto& form, MathUnit unit) {
        if (form.uncertainty.source == Source::MeasuredHere)
            form.computeEfficiency *= shareOf(unit);
    };
    for (std::size_t kind = 0; kind < out.set.gemm.size(); ++kind)
        settle(out.set.gemm[kind], unitOf(static_cast<GemmClass>(kind)));
    settle(out.set.prefillAttention, MathUnit::Bf16);
    for (std::size_t unit = 0; unit < mathUnitCount; ++unit) {
        const double share = shareOf(static_cast<MathUnit>(unit));
        constexpr double worthSaying = 0.99;
        if (share < worthSaying)
            out.notes.push_back(
                fmt::format("{} products settle at {:.0f} % of the rate of a burst: forms that arithmetic "
                            "bounds hold what they settle at",
                            name(static_cast<MathUnit>(unit)), 100 * share));
    }
    return out;
}

} // namespace headroom
