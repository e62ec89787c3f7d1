#pragma once

#include "model/search/busiest_load.h"
#include "model/search/machines_to_try.h"
#include "model/search/sizing_plan.h"

namespace headroom {

// What was assumed for the answer, and what to keep in mind.
void describeChoice(SizingPlan& plan, const Scenario& scenario, const MachinesToTry& machines,
                    const Targets& assumed);
// The same of a load that is not the same all day, and what its fleet wastes.
void describeLoad(SizingPlan& plan, const Scenario& asked, const BusiestLoad& busiest);

} // namespace headroom
