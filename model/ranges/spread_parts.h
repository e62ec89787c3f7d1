#pragma once

#include "model/measured/measured_row.h"
#include "model/ranges/run_kind.h"

namespace headroom {

// How much of what an engine misses of a first token it misses of the prompts in this metric: all where the
// time to the first token is in it and a full server's users take turns, a part where it is idle or requests
// come by themselves (few steps, admissions or places are waited for), and less in a burst and in other
// metrics, for waits of single requests even out over a line or a run.
[[nodiscard]] double partOfFirstToken(Metric metric, RunKind run);
// And of that of decodes.
[[nodiscard]] double partOfDecodes(Metric metric, RunKind run);

} // namespace headroom
