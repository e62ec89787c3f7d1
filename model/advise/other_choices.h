#pragma once

#include "model/advise/explain_plan.h"

namespace headroom {

// Looks for what one may choose in place of the answer: what costs less on another accelerator, what rests on
// timings of its own card, the best on another accelerator, and what would do at a price that nobody knows.
void addOtherChoices(SizingPlan& plan, const Scenario& scenario, const Replanner& replanner, bool simulate,
                     const RunControl& control);

} // namespace headroom
