#pragma once

#include "calib/calibrate.h"
#include "calib/measure/samples_file.h"
#include "calib/sweep/sweep.h"
#include "kernels/device.h"

#include <optional>
#include <string>
#include <vector>

namespace headroom {

// What stands on the disk before a run begins, and whether the run may go on with it.

// What tells one run's samples from another's.
[[nodiscard]] SamplesFacts factsOf(const kernels::Device& device, const Sweep& sweep,
                                   const CalibrationOptions& options);

// The samples of a run that is resumed; refused when they are another run's.
[[nodiscard]] Result<std::vector<Sample>> knownSamples(const std::filesystem::path& file,
                                                       const SamplesFacts& mine);

// The calibration that stands in the way, to be merged with; nothing when there is none.
[[nodiscard]] Result<std::optional<EfficiencySet>> olderCalibration(const std::filesystem::path& file,
                                                                    const std::string& gpu);

} // namespace headroom
