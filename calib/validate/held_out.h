#pragma once

#include "calib/validate/prepared_runs.h"

namespace headroom {

// Refits what engines cost beside their kernels without each source, and without each configuration (an
// engine on an accelerator with a model), and judges what was left out with numbers and intervals that never
// saw it. An engine that one source alone speaks of gets the medians of the other engines there. Fills
// `heldOut` and `fitted` of the report, whose rows are those of `prepared`.
void holdOut(const PreparedRuns& prepared, ValidationReport& report);

} // namespace headroom
