#pragma once

#include "model/base/result.h"
#include "model/base/units.h"
#include "model/search/busiest_load.h"

#include <optional>

namespace headroom {

// What an interactive service promises where nobody said how fast: people read along, and do not wait long
// for the first word; of a long prompt in proportion longer. A later first token is warned of, whatever was
// asked.
constexpr double usualSpeed = 10; // tokens/s for each user
constexpr Seconds longWait{5};
[[nodiscard]] Seconds usualWait(const Scenario& s);

// The load that decides the size, those of these promises that nobody made where no speed was asked for and
// the number of GPUs is what is looked for, and the objective that stands for "as fast as these GPUs can"
// where their number was stated.
[[nodiscard]] Result<BusiestLoad> decidingLoad(const Scenario& asked, const TraceReader& readTrace);
// The load with these promises in place of those that were assumed.
void assume(BusiestLoad& load, const Scenario& asked, const Targets& assumed);
// Half the speed and twice the wait; empty where slower is of no use to anybody.
[[nodiscard]] std::optional<Targets> lessThan(Targets assumed);

} // namespace headroom
