#pragma once

#include "calib/calibrate.h"
#include "calib/measure/sweep_run.h"
#include "kernels/device.h"
#include "model/catalogue/gpu.h"

#include <vector>

namespace headroom {

// What calibrate() finds in the catalogue before it measures.
struct CalibrationSubject {
    Gpu gpu;             // what the device is
    EfficiencySet prior; // of its family
    Sweep sweep;
    std::vector<kernels::Task> anchors;
};

// calibrate() on a device that is open, whatever it is: tests bring devices that never were.
[[nodiscard]] Result<CalibrationReport>
calibrateDevice(kernels::Device& device, const CalibrationSubject& subject, const CalibrationOptions& options,
                const RunPolicy& policy, const HostClock& clock, const RunControl& control,
                const CalibrationListener& listener);

} // namespace headroom
