#pragma once

#include "calib/measure/timing.h"

#include <functional>
#include <optional>

namespace headroom {

// How much time is left for a point.
using TimeLeft = std::function<Seconds()>;

// A timing, or that there was no time for it.
struct TimedPoint {
    std::optional<Timing> timing;
    Seconds needed; // where it is empty: at least so long it would have taken
};

// `stretch(launches)` gives the time of one launch. Stops as the policy says, or when no time is left: three
// stretches are a figure then, with what they differ by; fewer are none.
[[nodiscard]] TimedPoint timedPoint(const TimingPolicy& policy, const TimeLeft& left,
                                    const std::function<Seconds(int launches)>& stretch);

} // namespace headroom
