#pragma once

#include "model/base/message.h"
#include "model/base/units.h"
#include "model/closed_form/steady_state.h"
#include "model/serve/measures.h"
#include "model/serve/simulate.h"

#include <optional>
#include <string>

namespace headroom::serve {

// How far the closed form may be off the simulation (its tests hold it to 4 %): within that, what was seen
// decides.
constexpr double formTolerance = 0.04;

struct Verdict {
    bool stable = true;
    Message reason;
    RequestsPerSecond offered;             // 0: a closed loop, where nobody comes unasked
    RequestsPerSecond capacity;            // the largest stable rate of the whole service for this mix
    SteadyLimit limit = SteadyLimit::Load; // of the capacity
};

// The rate that the whole service can sustain with these requests, by their means. `cachedShare` of the
// prompt tokens comes from the prefix cache.
struct Capacity {
    RequestsPerSecond rate;
    SteadyLimit limit = SteadyLimit::Load;
    bool ofPrefillPool = false;
};
[[nodiscard]] Capacity capacityOf(const ServingSetup& setup, const Workload& workload, double cachedShare);

// Stable or overloaded: by the offered rate against the capacity, and by what was seen: whether the line in
// front of the replicas kept growing while requests came. `offered` as planned; without it, as the workload's
// arrivals say.
[[nodiscard]] Verdict judge(const ServingSetup& setup, const Workload& workload, const Simulation& simulation,
                            const Measures& measures,
                            std::optional<RequestsPerSecond> offered = std::nullopt);

[[nodiscard]] Message limitName(SteadyLimit limit);

} // namespace headroom::serve
