#pragma once

#include "calib/measure/sample.h"
#include "model/efficiency/calibration_record.h"

#include <array>

namespace headroom {

// What the machine's own points say of it: bandwidth of the largest reads, rates of large matrix products,
// the cost of starting something.
[[nodiscard]] MeasuredMachine machineFrom(const kernels::DeviceFacts& facts, const Sweep& sweep,
                                          const SampleTable& table);

// What the host needs to start one operator where no graph holds it; zero when that was not measured.
[[nodiscard]] Seconds eagerLaunchFrom(const Sweep& sweep, const SampleTable& table);

// A point as a person sees it, beside the machine's peaks where they are known already.
struct Achieved {
    double intensity = 0; // FLOPs per byte
    double ofPeak = 0;
    bool memoryBound = false;
};
[[nodiscard]] Achieved achievedBy(const SweepPoint& point, Seconds time, const MeasuredMachine& machine);

} // namespace headroom
