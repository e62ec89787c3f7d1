#pragma once

#include "calib/calibrate.h"

namespace headroom {

// Fits and judges anew what an earlier run left in `options.refit`, and writes `options.file`: a calibration
// as this version of the program makes it, without its device. Refused: samples that do not say what they
// were measured on. Exchanges are left out: their links are not among the samples' facts.
[[nodiscard]] Result<CalibrationReport> refitSamples(CalibrationOptions options, const Catalogue& catalogue);

} // namespace headroom
