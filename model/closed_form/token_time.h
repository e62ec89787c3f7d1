#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"
#include "model/closed_form/prediction.h"
#include "model/deploy/deployment.h"

namespace headroom {

// Of the prompts of a replica that come between one's own tokens, where these are many. Who takes turns with
// the others never meets himself; who comes on his own finds as many as there are on average, and they go on
// coming.
[[nodiscard]] double shareOfOthers(double users, bool openLoop);

// Time between a user's tokens with so many users in the replica: prompts of the others come between them,
// one's own do not. `alone` is without prompts, `underLoad` with those that keep the batch full. Of prompts
// that have steps to themselves and begin in the same burst as one's own only those come between tokens that
// stand behind it, half of them: of an answer of two tokens there are no others. A batch that is kept begins
// to decode when all its prompts are computed.
[[nodiscard]] Estimate<Seconds> tokenTimeBeside(const Deployment& deployment, const Load& load, double users,
                                                const Estimate<Seconds>& alone,
                                                const Estimate<Seconds>& underLoad,
                                                const Gathered& gathered = {});

} // namespace headroom
