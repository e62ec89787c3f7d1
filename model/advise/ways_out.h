#pragma once

#include "model/advise/explain_plan.h"

#include <functional>
#include <optional>
#include <vector>

namespace headroom {

// A remedy that holds in closed form.
struct WayOut {
    Remedy remedy;
    // The same with this share of what it leaves of the question; empty where there is nothing to take less
    // of.
    std::function<std::optional<Remedy>(double share)> less;
};

// Changes of a question that has no answer under which it has one in closed form, the nearest first. None
// takes the model beyond its context, and what has no answer as it was asked is told how much of it there is.
[[nodiscard]] std::vector<WayOut> waysOut(const SizingPlan& plan, const Scenario& scenario,
                                          const Replanner& replanner);

} // namespace headroom
