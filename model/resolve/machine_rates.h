#pragma once

#include "model/catalogue/gpu.h"
#include "model/efficiency/efficiency_set.h"
#include "model/efficiency/form_slot.h"

#include <array>

namespace headroom {

// A machine's measured rates over those that published figures of its type were reached with. 1 where one of
// both is not known.
struct RateRatios {
    double read = 1;
    std::array<double, mathUnitCount> arithmetic{1, 1, 1, 1, 1, 1, 1, 1};
    Seconds launchGap; // that a launch of a graph takes longer

    [[nodiscard]] double of(MathUnit unit) const { return arithmetic[static_cast<std::size_t>(unit)]; }
    friend bool operator==(const RateRatios&, const RateRatios&) = default;
};

// `known`: the forms of published kernels for the accelerator `gpu`. Published arithmetic is what its form of
// the library's products gives for the large ones that the executor times; published reading is the part of
// the datasheet's bandwidth that its family reaches. A processor's forms are shares of what is measured
// anyway.
[[nodiscard]] RateRatios rateRatios(const EfficiencySet& measured, const EfficiencySet& known,
                                    const Gpu& gpu);

// The form of `slot` as it is on a machine of these rates.
void scaleForm(EfficiencySet& set, const FormSlot& slot, const RateRatios& ratios);

// Which unit the kernels of a form multiply on.
[[nodiscard]] MathUnit unitOfForm(const FormSlot& slot);

} // namespace headroom
