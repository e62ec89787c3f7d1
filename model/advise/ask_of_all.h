#pragma once

#include "model/search/sizing_plan.h"

namespace headroom {

// Remedies and hints are looked for on `one` of the machines that were named. Those that change no machine
// get all the named machines back, so that their answer still compares them.
void askOfAll(SizingPlan& plan, const Scenario& one, const Scenario& asked);

} // namespace headroom
