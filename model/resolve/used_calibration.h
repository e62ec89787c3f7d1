#pragma once

#include "model/resolve/resolve.h"

#include <string>
#include <string_view>

namespace headroom {

// What turns off the calibration of this machine that is found by itself.
inline constexpr std::string_view noCalibration = "none";
// Whether a scenario's calibration is a file.
[[nodiscard]] bool namesCalibration(std::string_view text);
// The accelerator that the scenario's calibration is of; empty where it names none that can be read.
[[nodiscard]] std::string deviceOfCalibration(const Scenario& scenario, const Catalogue& catalogue);

// A calibration is of a device: who names one means that, where he names no other.
void takeDeviceOfCalibration(Resolved& out, const Catalogue& catalogue);

// Brings a calibration to what the catalogue knows of the machine and its engine, and tells what it changed.
void useCalibration(Resolved& out, const EfficiencySet& measured);

// The user's calibration over what the catalogue knows of the accelerator and the engine's kernels: the one
// he names, else one of this machine that he made before.
[[nodiscard]] Problems useCalibrations(Resolved& out, const Catalogue& catalogue);

} // namespace headroom
