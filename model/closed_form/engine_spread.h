#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"
#include "model/closed_form/prediction.h"
#include "model/deploy/deployment.h"

namespace headroom {

// What whole runs of an engine miss beside its operators they do not miss of every figure alike: how much of
// it each has was found with the rows of others (catalogue/engine.h), and ranges have as much.

// The time of a prompt, with the range that a first token has at this load.
[[nodiscard]] Estimate<Seconds> promptOfFirstToken(const Estimate<Seconds>& prompt,
                                                   const Deployment& deployment, const Load& load);
// A time of tokens, with its range.
[[nodiscard]] Estimate<Seconds> timeOfToken(const Estimate<Seconds>& step, const Deployment& deployment);
// What a prediction tells of tokens: their times, what a user sees of them, and throughput.
void tellTokens(Prediction& prediction, const Deployment& deployment);

} // namespace headroom
