#pragma once

#include "model/base/result.h"
#include "model/scenario/request.h"
#include "model/scenario/scenario.h"
#include "model/search/load_curve.h"

#include <functional>
#include <optional>
#include <string>

namespace headroom {

// Reads the file of a recorded trace (import/trace.h).
using TraceReader = std::function<Result<serve::Workload>(const std::string& file)>;

// The load that decides the size: that of the busiest stretch of a day or a trace.
struct BusiestLoad {
    Scenario scenario;
    std::optional<LoadCurve> curve;
    std::optional<serve::Workload> recorded; // the requests of that stretch
    Targets assumed;                         // of an interactive service, where no speed was asked for
};

// Of a question about steady traffic: the question as it is. Refused when the trace cannot be read.
[[nodiscard]] Result<BusiestLoad> busiestLoad(const Scenario& asked, const TraceReader& readTrace);

} // namespace headroom
