#pragma once

#include "calib/validate/prepared_runs.h"

namespace headroom {

// Marks figures of one stated set-up that differ further than repeats of a run do: what made the difference
// is not stated, so they say nothing of what is. Where more than half of three or more agree, only the others
// are marked.
void markContradictions(PreparedRuns& prepared);

} // namespace headroom
