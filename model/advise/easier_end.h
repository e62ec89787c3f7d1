#pragma once

#include "model/search/search.h"

namespace headroom {

class Catalogue;

// The plan of the harder ends of ranges, with what the easier ones would take among its assumptions.
[[nodiscard]] std::shared_ptr<const SizingPlan> withEasierEnds(std::shared_ptr<const SizingPlan> plan,
                                                               const Scenario& asked, const Scenario& easier,
                                                               const Catalogue& catalogue,
                                                               const SearchOptions& options);

} // namespace headroom
