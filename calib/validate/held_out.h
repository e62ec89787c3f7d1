#pragma once

#include "calib/validate/prepared_runs.h"

namespace headroom {

// Refits what engines cost beside their kernels without each source, without each configuration (an engine on
// an accelerator with a model), each load, each vendor and each generation of accelerators, and judges what
// was left out with numbers and intervals that never saw it. An engine that one source alone speaks of gets
// the medians of the other engines there. Fills `heldOut` and `fitted` of the report, whose rows are those of
// `prepared`.
void holdOut(const PreparedRuns& prepared, const Catalogue& catalogue, ValidationReport& report);

} // namespace headroom
