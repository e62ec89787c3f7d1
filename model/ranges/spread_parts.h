#pragma once

#include "model/catalogue/engine.h"
#include "model/measured/measured_row.h"
#include "model/ranges/run_kind.h"

namespace headroom {

// How much of the engine's spread of first tokens a metric has. First tokens of users who take turns on a
// full server have all of it. Where few requests wait (an idle server, a lone user, arrivals at a rate) they
// have `whereFewWait` of it. Bursts and other metrics have less, because the waits of single requests average
// out. `users`: of one replica, in a closed loop.
[[nodiscard]] double partOfFirstToken(Metric metric, RunKind run, double users,
                                      double whereFewWait = ofFirstTokenWhereFewWait);
// How much of the engine's spread of decodes a metric has. `ofTokens`: the part of token times.
[[nodiscard]] double partOfDecodes(Metric metric, RunKind run, double ofTokens = ofTokenTimes);

} // namespace headroom
