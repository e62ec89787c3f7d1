#pragma once

#include "calib/validate/prepared_runs.h"
#include "model/efficiency/efficiency_set.h"

#include <cstddef>
#include <string>
#include <vector>

namespace headroom {

// Measured runs with a calibration of the machine they were measured on: how many took it, and what was used
// for what, one sentence each. Runs on other accelerators stay as they are.
struct CalibratedRuns {
    std::size_t count = 0;
    std::vector<Message> told;
};
[[nodiscard]] CalibratedRuns calibrateRuns(PreparedRuns& runs, const EfficiencySet& measured);

} // namespace headroom
