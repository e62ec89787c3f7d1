#pragma once

#include "model/base/run_control.h"
#include "model/scenario/service_load.h"
#include "model/search/search.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace headroom {

// The most that stands a replay on a candidate as it is, spares out of service.
struct ProvenLoad {
    ServiceLoad
        load; // users at once, or requests a second where those were stated; neither: nothing stood one
    double confidence = 0;
    std::optional<SimulatedService> simulated; // at that load
    Message reason;                            // why nothing stood one
};
// To within a fiftieth. None where no run can be made. `sure`: nine in ten sure. `work`: that several such
// questions may take together; none: what an aside may.
[[nodiscard]] std::optional<ProvenLoad> mostThatStands(const Candidate& candidate, const Scenario& scenario,
                                                       const RunControl& control, bool sure = false,
                                                       std::shared_ptr<std::int64_t> work = {});

} // namespace headroom
