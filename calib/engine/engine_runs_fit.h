#pragma once

#include "calib/engine/engine_points.h"
#include "calib/fit/robust_fit.h"
#include "model/efficiency/efficiency_set.h"

#include <string>
#include <vector>

namespace headroom {

// A number of the engine before and after its runs, as times of what was known; of the host in seconds.
struct FittedKernelNumber {
    Message name;
    double before = 1;
    double after = 1;
    double lnDeviation = 0; // what the runs leave open
};

// A point beside what is foretold: by what was known, by the fit, and by a fit that did not see the point.
struct JudgedPoint {
    Message what;
    double measured = 0; // seconds
    double before = 0;
    double fitted = 0;
    double leftOut = 0;
};

struct EngineRunsFit {
    EfficiencySet set; // the calibration: the engine's kernels on this machine, ready to be written
    std::vector<FittedKernelNumber> numbers;
    std::vector<JudgedPoint> points;
    GroupedErrors before;
    GroupedErrors leftOut;
    bool stepBetweenKernels = false; // one row has a kernel of its own
};

struct EngineRunsAbout {
    std::vector<std::string> files;
    std::string created;
    std::string tool;
};

// Fits the few numbers that an engine's own runs decide. Refused: runs of several machines or engines, too
// few of them.
[[nodiscard]] Result<EngineRunsFit> fitEngineRuns(const std::vector<EnginePoint>& points,
                                                  const EngineRunsAbout& about);

} // namespace headroom
