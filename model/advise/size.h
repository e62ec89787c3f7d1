#pragma once

#include "model/base/result.h"
#include "model/base/run_control.h"
#include "model/search/search.h"

#include <memory>

namespace headroom {

// Fewest, cheapest, … as the scenario's objective says, over one accelerator type or all of them, with what
// goes beyond the answer where the options ask for it.
[[nodiscard]] Result<std::shared_ptr<const SizingPlan>> size(const Scenario& scenario,
                                                             const Catalogue& catalogue,
                                                             const SearchOptions& options = {},
                                                             const RunControl& control = {});

// What goes beyond the answer, of a plan that was made without it for the same question.
[[nodiscard]] Result<void> explainAnswer(SizingPlan& plan, const Scenario& asked, const Catalogue& catalogue,
                                         const SearchOptions& options, const RunControl& control);

} // namespace headroom
