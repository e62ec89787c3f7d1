#pragma once

#include "model/scenario/scenario.h"
#include "model/serve/serving_setup.h"

#include <cstdint>
#include <string_view>

namespace headroom {

// How the requests of a run come.
enum class RunKind : std::uint8_t {
    Static,     // one batch, all prompts together, nobody joins
    ClosedLoop, // so many users, each asks again when answered
    Burst,      // a finite number at once; the ramp-down counts
    Saturated,  // more at once than fit, for long
    OpenLoop    // arrivals at a rate
};
[[nodiscard]] std::string_view runName(RunKind kind);

// Of what was played. Arrivals that a load tool bounds come as users who take turns where the bound is held.
[[nodiscard]] RunKind runKindOf(const Scenario& scenario, const serve::ServingPlan& plan,
                                const serve::Measures& measures);

} // namespace headroom
