#pragma once

#include "model/search/search.h"

namespace headroom {

// "8 x H100 or 4 x B200", "TP 8 x PP 2 or TP 16": each is planned as if it were asked for alone, and the plan
// of the best stands for all, the others beside it.
[[nodiscard]] Result<std::shared_ptr<const SizingPlan>> compareFixedMachines(const Scenario& scenario,
                                                                             const Catalogue& catalogue,
                                                                             const SearchOptions& options,
                                                                             const RunControl& control);

} // namespace headroom
