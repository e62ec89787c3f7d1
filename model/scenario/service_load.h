#pragma once

#include "model/scenario/scenario.h"

namespace headroom {

// The load that must be carried: peak factor and growth put in.
struct ServiceLoad {
    double users = 0;             // 0: none stated
    double requestsPerSecond = 0; // 0: none stated
    [[nodiscard]] bool stated() const { return users > 0 || requestsPerSecond > 0; }
};
[[nodiscard]] ServiceLoad loadOf(const Scenario& scenario, double years = 0);

// No load was stated, and the objective is best with every replica full.
[[nodiscard]] bool fullyLoaded(const Scenario& scenario);
// More users than this in one replica change nothing of the verdict.
[[nodiscard]] double enoughUsers(const Scenario& scenario);

} // namespace headroom
