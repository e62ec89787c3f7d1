#pragma once

#include "model/catalogue/engine.h"
#include "model/measured/measured_row.h"
#include "model/ranges/run_kind.h"

namespace headroom {

// How much of what an engine misses of a first token it misses of the prompts in this metric: all where the
// time to the first token is in it and a full server's users take turns, a part where it is idle or requests
// come by themselves (few steps, admissions or places are waited for), and less in a burst and in other
// metrics, for waits of single requests even out over a line or a run.
// `users`: of one replica, where so many take turns; one of them waits for nobody. `whereFewWait`: the part
// of such and the like.
[[nodiscard]] double partOfFirstToken(Metric metric, RunKind run, double users,
                                      double whereFewWait = ofFirstTokenWhereFewWait);
// And of that of decodes; `ofTokens`: in times of tokens.
[[nodiscard]] double partOfDecodes(Metric metric, RunKind run, double ofTokens = ofTokenTimes);

} // namespace headroom
