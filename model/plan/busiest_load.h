#pragma once

#include "model/plan/scenario.h"
#include "model/plan/search.h"
#include "model/result.h"
#include "model/serve/request.h"

#include <optional>

namespace headroom {

// The load that decides the size: that of the busiest stretch of a day or a trace.
struct BusiestLoad {
    Scenario scenario;
    std::optional<LoadCurve> curve;
    std::optional<serve::Workload> recorded; // the requests of that stretch
};

// Of a question about steady traffic: the question as it is. Refused when the trace cannot be read.
[[nodiscard]] Result<BusiestLoad> busiestLoad(const Scenario& asked);

} // namespace headroom
