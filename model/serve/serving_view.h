#pragma once

#include "model/serve/serving_run.h"

#include <optional>
#include <vector>

namespace headroom::serve {

// The service at one offered rate.
struct LoadPoint {
    RequestsPerSecond offered;
    double shareOfCapacity = 0;
    bool stable = true;
    Measures measures;
};

// What there is to see of a plan under traffic: the run itself, the same requests under static batching, and
// how the percentiles grow up to overload.
struct ServingView {
    ServingRun run;
    std::optional<ServingRun>
        staticBatching;           // absent where the engine batches so anyway, or for a closed loop
    std::vector<LoadPoint> sweep; // ascending; empty for a closed loop
};
[[nodiscard]] Result<ServingView> makeServingView(const ServingPlan& plan, const RunControl& control = {});

// Ascending times of the measured requests with the share of requests that were at most so long: a
// distribution to draw.
struct DistributionPoint {
    Seconds time;
    double share = 0;
};
enum class ServingTime : std::uint8_t { Ttft, Tpot, Latency, Queue };
[[nodiscard]] std::vector<DistributionPoint> distributionOf(const ServingRun& run, ServingTime time,
                                                            int points = 200);

} // namespace headroom::serve
