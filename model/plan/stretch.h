#pragma once

#include "model/plan/candidate.h"
#include "model/plan/scenario.h"

#include <optional>

namespace headroom {

// How much longer than its closed form, a mean, a time is at the percentile of a replay.
struct Stretch {
    double ttft = 1;
    double tpot = 1;
    double latency = 1;
};

// None without a run, or where a queue grew without end.
[[nodiscard]] std::optional<Stretch> stretchOf(const Candidate& played);
// How much longer than their middle times may be.
[[nodiscard]] Stretch upperEnds(const UserTimes& point);
// What the closed form has to reach for a replay to hold.
[[nodiscard]] Targets shrunk(Targets targets, const Stretch& by);

} // namespace headroom
