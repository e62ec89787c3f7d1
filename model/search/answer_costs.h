#pragma once

#include "model/search/sizing_plan.h"

namespace headroom {

class Catalogue;

// What a candidate costs rented, owned and over years, as far as prices are known.
[[nodiscard]] std::optional<CostOverYears> costsOf(const Candidate& candidate, const Scenario& scenario,
                                                   const Catalogue& catalogue);

// Puts into the plan what its answer costs rented, owned and over years, as far as prices are known.
void tellCosts(SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue);

} // namespace headroom
