#pragma once

#include "model/scenario/scenario.h"
#include "model/search/candidate.h"

#include <optional>

namespace headroom {

// How much longer than its closed form, a mean, a time is at the percentile of a replay.
struct ReplayRatio {
    double ttft = 1;
    double tpot = 1;
    double latency = 1;
};

// None without a run, or where a queue grew without end.
[[nodiscard]] std::optional<ReplayRatio> replayRatioOf(const Candidate& played);
// How much longer than their middle times may be.
[[nodiscard]] ReplayRatio upperEnds(const UserTimes& point);
// What the closed form has to reach for a replay to hold.
[[nodiscard]] Targets shrunk(Targets targets, const ReplayRatio& by);

} // namespace headroom
