#pragma once

#include "model/scenario/request.h"
#include "model/search/candidate.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

// How the load moves: its mean in equal stretches of a day or of a trace.
struct LoadCurve {
    Seconds stretch;
    std::vector<double> requestsPerSecond;

    [[nodiscard]] double mean() const;
    [[nodiscard]] double peak() const;
};

// A fleet of the size that the peak takes, running all day, beside one that follows the load.
struct FleetDay {
    LoadCurve curve;
    std::vector<int> gpus;     // needed in each stretch, spares included
    double gpuHoursStatic = 0; // in a day
    double gpuHoursFollowing = 0;
    std::optional<double> usdStatic; // in a day
    std::optional<double> usdFollowing;

    [[nodiscard]] double wasted() const
    {
        return gpuHoursStatic > 0 ? 1 - gpuHoursFollowing / gpuHoursStatic : 0;
    }
};

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
