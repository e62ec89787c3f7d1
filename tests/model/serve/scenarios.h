#pragma once

#include "model/serve/simulate.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace headroom::serve::testing {

// One second a step and a tenth for each prompt token: easy to follow with a pencil.
inline Seconds pencilTime(const StepShape& shape) { return Seconds(1 + 0.1 * shape.prefillTokens); }
inline Seconds oneSecond(const StepShape&) { return Seconds(1); }

struct Lengths {
    double arrival = 0;
    std::int32_t prompt = 1;
    std::int32_t output = 1;
};

inline Workload workloadOf(const std::vector<Lengths>& lengths)
{
    Workload workload;
    for (const Lengths& one : lengths)
        workload.requests.push_back(
            {.arrival = Seconds(one.arrival), .promptTokens = one.prompt, .outputTokens = one.output});
    return workload;
}

inline ServingSetup setupOf(const Scheduling& scheduling, StepTime stepTime, int replicas = 1)
{
    return {.pool = {.scheduling = scheduling, .stepTime = std::move(stepTime), .replicas = replicas},
            .prefill = std::nullopt,
            .routing = Routing::LeastLoaded};
}

} // namespace headroom::serve::testing
