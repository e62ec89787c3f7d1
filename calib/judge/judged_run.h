#pragma once

#include "calib/calibrate_device.h"

namespace headroom {

// Fits what a run measured, judges it by the layers that were held out, and says so: the calibration as it
// will be written. Throws CalibrationBroken when the machine's own figures are not among the samples.
[[nodiscard]] CalibrationReport judgeRun(const RunOutcome& outcome, const CalibrationSubject& subject,
                                         const kernels::DeviceFacts& facts,
                                         const CalibrationOptions& options);

} // namespace headroom
