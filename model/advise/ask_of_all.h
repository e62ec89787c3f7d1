#pragma once

#include "model/search/sizing_plan.h"

namespace headroom {

// Remedies and hints are found on `one` of the machines that were named. What changes no machine is asked of
// all of them, so that who follows it still sees them side by side.
void askOfAll(SizingPlan& plan, const Scenario& one, const Scenario& asked);

} // namespace headroom
