#pragma once

#include "model/search/sizing_plan.h"

namespace headroom {

class Catalogue;

// Puts into the plan what its answer costs rented, owned and over years, as far as prices are known.
void tellCosts(SizingPlan& plan, const Scenario& scenario, const Catalogue& catalogue);

} // namespace headroom
