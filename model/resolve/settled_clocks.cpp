#include "model/resolve/settled_clocks.h"

#include "model/resolve/machine_rates.h"

namespace headroom {

EfficiencySet atSettledClocks(EfficiencySet set, const SettledShares& shares)
{
    const auto shareOf = [&](MathUnit unit) {
        const double own = shares[static_cast<std::size_t>(unit)];
        const double half = shares[static_cast<std::size_t>(MathUnit::Bf16)];
        return own > 0 ? own : half > 0 ? half : 1;
    };
    const auto settle = [&](auto& form, const FormSlot& slot) {
        if (form.uncertainty.source == Source::MeasuredHere)
            form.computeEfficiency *= shareOf(unitOfForm(slot));
    };
    for (std::size_t kind = 0; kind < set.gemm.size(); ++kind)
        settle(set.gemm[kind], {.cls = OpClass::Gemm, .gemm = static_cast<GemmClass>(kind)});
    for (std::size_t kind = 0; kind < set.grouped.size(); ++kind)
        settle(set.grouped[kind], {.cls = OpClass::GroupedGemm, .gemm = static_cast<GemmClass>(kind)});
    settle(set.prefillAttention, {.cls = OpClass::PrefillAttention});
    settle(set.prefillMla, {.cls = OpClass::PrefillMla});
    return set;
}

} // namespace headroom
