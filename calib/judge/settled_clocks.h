#pragma once

#include "calib/judge/machine.h"
#include "model/efficiency/efficiency_set.h"

#include <string>
#include <vector>

namespace headroom {

// Forms as they hold under load that lasts. They were fitted to stretches of milliseconds, at the clocks of a
// card that has just rested; what arithmetic bounds slows down with its rate once power or heat have settled
// them.
struct SettledForms {
    EfficiencySet set;
    std::vector<std::string> notes; // one for each type of number whose rate fell
};
[[nodiscard]] SettledForms atSettledClocks(EfficiencySet set, const RatesByUnit& sustained,
                                           const RatesByUnit& burst);

} // namespace headroom
