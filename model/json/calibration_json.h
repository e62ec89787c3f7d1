#pragma once

#include "model/report/calibration_text.h"

#include <string>

namespace headroom {

// {"schema": "headroom.show/1", …}: a calibration with its forms, conditions and gates.
[[nodiscard]] std::string calibrationJson(const EfficiencySet& set);
// {"schema": "headroom.calibrate/1", …}: the same with what the run tells beside the file.
[[nodiscard]] std::string calibrationJson(const EfficiencySet& set, const CalibrationSummary& run);

} // namespace headroom
