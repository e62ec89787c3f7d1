#pragma once

#include "model/closed_form/prediction.h"

namespace headroom {

// Users of a closed loop whom the steps before admission gather. An engine counts its steps before it takes a
// request in, and counts none while it has nothing to do. Where all answers end before the first of those who
// ask again has been counted for, the engine is idle and takes in all at once: they begin a turn together,
// prompt after prompt, and nobody comes meanwhile. Else they come in several bursts, each of those who are
// counted at the same time, and some of the others' prompts are between one's own tokens.

// What a request takes before the engine sees it.
[[nodiscard]] Seconds hostOfRequest(const Deployment& deployment, const Load& load);

// Whether the steps before admission may gather users of this load at all.
[[nodiscard]] bool waitsForSteps(const Deployment& deployment, const Load& load);

// Share of the users who do so: 0 or 1, but near the border.
[[nodiscard]] double usersGathered(const Deployment& deployment, const Load& load);

// A turn of theirs, in steps: some full of prompts, and with such a chance one of what is left. The rank is
// waited for that has most.
struct GatheredTurn {
    double full = 0;
    double chance = 0;        // of a rest
    double rest = 0;          // of a step's room, on the rank that has most
    double restInMean = 0;    // and on all
    double ranksWithRest = 1; // of all, where there is one
    double after = 0;         // steps that have none, until the last answer has ended
    double betweenFull = 0;   // full ones between a user's own tokens
    double betweenRest = 0;   // and how often that of the rest is
    double groups = 1;        // that take turns: while one is at work the other asks
};
[[nodiscard]] GatheredTurn gatheredTurn(const Deployment& deployment, const Load& load);

// Of one rank: bursts in which users begin who are not all gathered. `host`: steps without prompts that pass
// until the engine has read who asks again.
[[nodiscard]] double burstsOfUsers(const Deployment& deployment, const Load& load, double host);
// And of all users' prompts the share that comes between one's own tokens.
[[nodiscard]] double promptsBetweenTokens(const Deployment& deployment, const Load& load, double host);

} // namespace headroom
