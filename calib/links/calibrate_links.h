#pragma once

#include "calib/calibrate.h"

#include <vector>

namespace headroom {

// Measures the exchanges between the devices of this machine or, started by a launcher once for each device
// of several machines, between all of them, and writes one file for each kind of machine: `options.file`, or
// with several kinds one beside it each, named after its accelerator. What a file held before of its device
// is kept. The reports are the leading process's; the others return none. Throws CalibrationBroken when a
// process cannot take part.
[[nodiscard]] Result<std::vector<CalibrationReport>> calibrateLinks(const CalibrationOptions& options,
                                                                    const Catalogue& catalogue,
                                                                    const RunControl& control,
                                                                    const CalibrationListener& listener = {});

} // namespace headroom
