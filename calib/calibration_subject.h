#pragma once

#include "calib/calibrate_device.h"

namespace headroom {

class Catalogue;

// What the catalogue knows of a device: its accelerator and its family's priors, nothing to measure yet.
[[nodiscard]] Result<CalibrationSubject>
identified(const kernels::DeviceFacts& facts, const CalibrationOptions& options, const Catalogue& catalogue);

// The machine whose links its exchanges go over: as asked, else the one the accelerator usually stands in.
[[nodiscard]] Result<Node> nodeOf(const Gpu& gpu, const CalibrationOptions& options,
                                  const Catalogue& catalogue);

// The same with the sweep of the options: generic or of a model.
[[nodiscard]] Result<CalibrationSubject> subjectOf(kernels::Device& device, const CalibrationOptions& options,
                                                   const Catalogue& catalogue);

} // namespace headroom
