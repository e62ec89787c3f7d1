#pragma once

#include "calib/fit/robust_fit.h"
#include "model/base/result.h"
#include "model/base/units.h"
#include "model/catalogue/engine.h"
#include "model/measured/measured_row.h"
#include "model/yaml/catalogue.h"

#include <string>
#include <vector>

namespace headroom {

// An engine as it runs on someone's own machines: the preset with the host times that his measurements ask
// for.
struct FittedTime {
    std::string name; // as engine files write it: "per_step"
    Seconds before;   // the preset's
    Seconds after;
    double lnDeviation = 0; // what the measurements leave open
};
struct EngineFit {
    Engine engine; // ready to be written and named by --engine
    std::vector<FittedTime> times;
    std::size_t rows = 0;         // that could be predicted
    std::size_t runs = 0;         // they come from
    std::vector<Message> skipped; // rows that could not, and why
    GroupedErrors before;         // of the preset as it ships
    GroupedErrors leftOut;        // of each run, fitted to the others; empty with a single run
};

// Fits the times of the host (per step, per sequence of a step, per request) to measured runs of one engine.
// What the host cannot explain stays in the intervals. `origin` names the measurements in the engine's
// sources.
[[nodiscard]] Result<EngineFit> fitEngine(const std::vector<MeasuredRow>& rows, const Catalogue& catalogue,
                                          const std::string& origin);

} // namespace headroom
