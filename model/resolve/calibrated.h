#pragma once

#include "model/base/message.h"
#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/node.h"
#include "model/efficiency/efficiency_set.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

// What a calibration may change for one engine on one accelerator (docs/executor.md, "What a measurement may
// change"): rates of the machine and the maker's libraries for every engine, kernels of its own for the
// engine whose they are. Wider where it comes from elsewhere or failed a condition.
struct Calibrated {
    EfficiencySet efficiency;
    std::optional<Gpu> gpu;       // the accelerator with measured figures; empty: as the catalogue has it
    std::optional<Engine> engine; // with the host times of its own runs; empty: as the catalogue has it
    std::vector<Message> assumptions;
    std::vector<Message> warnings;
};
[[nodiscard]] Calibrated applyCalibration(const EfficiencySet& measured, const EfficiencySet& known,
                                          const Gpu& gpu, const Node& node, const Engine& engine);

// The catalogue's entry with what was measured of the machine itself. A processor's is a stand-in, and it
// multiplies in 32 bit whatever is stored; an accelerator keeps its datasheet, which efficiencies are
// relative to.
[[nodiscard]] Gpu measuredGpu(const Gpu& gpu, const MeasuredMachine& machine);

// Forms of both, the newer one's where it measured them; only for two calibrations of one device type. One of
// links alone adds them to what the other tells of the device.
[[nodiscard]] EfficiencySet mergeCalibrations(const EfficiencySet& older, const EfficiencySet& newer);

} // namespace headroom
