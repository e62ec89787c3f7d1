#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"
#include "model/closed_form/prediction.h"
#include "model/deploy/deployment.h"

namespace headroom {

// What whole runs of an engine miss beside its operators they do not miss of every figure alike, nor to both
// sides: how much each has was found with the rows of others (catalogue/engine.h, deploy/range_parts.h), and
// ranges have as much. Steps have even ranges, and so have sums of them; a figure that is told reaches to
// either side as others' runs did.

// The time of a prompt, as unsure as a first token is at this load: evenly, for sums.
[[nodiscard]] Estimate<Seconds> promptOfFirstToken(const Estimate<Seconds>& prompt,
                                                   const Deployment& deployment, const Load& load);
// A time of tokens, with the range that is told.
[[nodiscard]] Estimate<Seconds> timeOfToken(const Estimate<Seconds>& step, const Deployment& deployment);
// A first token or a whole request, with the range that is told.
[[nodiscard]] Estimate<Seconds> timeOfService(const Estimate<Seconds>& sum, const Deployment& deployment);
// What a prediction tells: first tokens, times of tokens, what a user sees of them, and throughput.
void tellRanges(Prediction& prediction, const Deployment& deployment);

} // namespace headroom
