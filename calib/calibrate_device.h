#pragma once

#include "calib/calibrate.h"
#include "calib/measure/sweep_run.h"
#include "kernels/device.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/node.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

// Which links the exchanges of a sweep go over.
struct LinksSubject {
    Node node;
    int ranks = 0;
    int nodes = 1;
    std::string library;
    bool alone = false; // nothing else is measured
};

// What calibrate() finds in the catalogue before it measures.
struct CalibrationSubject {
    Gpu gpu;             // what the device is
    EfficiencySet prior; // of its family
    Sweep sweep;
    std::vector<kernels::Task> anchors;
    std::optional<LinksSubject> links; // empty: it measures no exchanges
};

// How long and how often a device of this kind is measured ("cpu", "cuda").
[[nodiscard]] RunPolicy runPolicyFor(const CalibrationOptions& options, const std::string& deviceKind);

// calibrate() on a device that is open, whatever it is: tests bring devices that never were.
[[nodiscard]] Result<CalibrationReport>
calibrateDevice(kernels::Device& device, const CalibrationSubject& subject, const CalibrationOptions& options,
                const RunPolicy& policy, const HostClock& clock, const RunControl& control,
                const CalibrationListener& listener);

} // namespace headroom
