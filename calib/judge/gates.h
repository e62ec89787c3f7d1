#pragma once

#include "calib/judge/sample_fit.h"
#include "model/efficiency/calibration_record.h"

#include <string>
#include <vector>

namespace headroom {

// The conditions of docs/executor.md on what this calibration can be judged by. What it did not measure is
// not among them, but for the whole layers: without them nothing is trusted.
[[nodiscard]] std::vector<GateRecord> gatesOf(const SampleFit& fit, const SampleTable& table,
                                              const HoldOutRecord& holdOut, const std::string& deviceKind);

} // namespace headroom
