#pragma once

#include "model/base/units.h"
#include "model/search/sizing_plan.h"

#include <optional>

namespace headroom {

// A job on an answer that does nothing else.
struct JobTime {
    double requests = 0;
    double tokens = 0;               // prompts and answers
    Seconds time;                    // with every replica as full as it can be, spares out of service
    std::optional<Dollars> price;    // of the machines for so long
    std::optional<Dollars> apiPrice; // of its tokens elsewhere
};
// None without a job, and where the candidate serves nothing.
[[nodiscard]] std::optional<JobTime> jobTime(const Scenario& scenario, const Candidate& candidate);
// Of the answer.
[[nodiscard]] std::optional<JobTime> jobTime(const SizingPlan& plan);

} // namespace headroom
