#pragma once

#include "model/efficiency/efficiency_set.h"

#include <array>

namespace headroom {

// The share of a burst's rate that layers keep when they run one after another, by type of number; zero:
// unknown.
using SettledShares = std::array<double, mathUnitCount>;

// Forms as they hold under load that lasts. They were fitted to stretches of milliseconds, at the clocks of a
// card that has just rested; what arithmetic bounds slows down once power or heat have settled them. A type
// that was not measured goes by the one of 16 bits.
[[nodiscard]] EfficiencySet atSettledClocks(EfficiencySet set, const SettledShares& shares);

} // namespace headroom
