#pragma once

#include "model/plan/search.h"
#include "model/serve/request.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// The load over a day that the traffic's text describes ("poisson:peak=2.5,hour=14") at a mean rate; none
// where the rate is the same all day.
[[nodiscard]] std::optional<LoadCurve> dayOf(const std::string& traffic, double meanRequestsPerSecond);

// The same traffic without its day: what comes in the busiest hour.
[[nodiscard]] std::string withoutDay(const std::string& traffic);

// The load over a recorded trace, in stretches of a quarter of an hour, shorter for a short trace.
[[nodiscard]] LoadCurve curveOf(const serve::Workload& recorded);

// From its first request to its last.
[[nodiscard]] Seconds spanOf(const serve::Workload& recorded);

// The requests of the trace's busiest stretch of this length, the first at 0 s.
[[nodiscard]] serve::Workload busiestPart(const serve::Workload& recorded, Seconds length);

// A fleet that is sized for the peak beside one that follows the load, a day of each.
[[nodiscard]] FleetDay fleetOver(const LoadCurve& curve, const Candidate& fleet, int spares);

} // namespace headroom
