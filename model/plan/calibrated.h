#pragma once

#include "model/catalogue/efficiency_set.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/node.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

// A calibration as it serves one accelerator: its forms over what the catalogue knows, wider where they come
// from elsewhere, and the machine's own figures where the catalogue has only a stand-in.
struct Calibrated {
    EfficiencySet efficiency;
    std::optional<Gpu> gpu; // the accelerator with measured figures; empty: as the catalogue has it
    std::vector<std::string> assumptions;
    std::vector<std::string> warnings;
};
[[nodiscard]] Calibrated applyCalibration(const EfficiencySet& measured, const EfficiencySet& known,
                                          const Gpu& gpu, const Node& node);

// The catalogue's entry with what was measured of the machine itself. A processor's is a stand-in, and it
// multiplies in 32 bit whatever is stored; an accelerator keeps its datasheet, which efficiencies are
// relative to.
[[nodiscard]] Gpu measuredGpu(const Gpu& gpu, const MeasuredMachine& machine);

// Forms of both, the newer one's where it measured them; only for two calibrations of one device type. One of
// links alone adds them to what the other tells of the device.
[[nodiscard]] EfficiencySet mergeCalibrations(const EfficiencySet& older, const EfficiencySet& newer);

} // namespace headroom
