#pragma once

#include "model/search/search.h"

namespace headroom {

// The first remedy that leaves machine, load and targets as they were asked and changes only types that
// nobody stated or settings of the engine: with it the machine does run the model. Null when none does.
[[nodiscard]] const Remedy* firstEnablingRemedy(const SizingPlan& plan, const Scenario& asked);

} // namespace headroom
