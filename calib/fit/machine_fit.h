#pragma once

#include "model/efficiency/calibration_record.h"

#include <vector>

namespace headroom {

// A time that grows with a size: bytes that are moved, launches in a graph.
struct SizedTime {
    double size = 0;
    Seconds time;
    double lnSpread = 0; // of its repeats
};

// t = (bytes + half) / full, robustly; nothing where fewer than four sizes were timed.
[[nodiscard]] Ramp fitRamp(const std::vector<SizedTime>& samples);

// t = base + nodes * perNode, robustly; nothing where fewer than three sizes were timed.
[[nodiscard]] GraphCost fitGraphCost(const std::vector<SizedTime>& samples);

} // namespace headroom
