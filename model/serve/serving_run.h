#pragma once

#include "model/base/result.h"
#include "model/base/run_control.h"
#include "model/serve/measures.h"
#include "model/serve/serving_setup.h"
#include "model/serve/verdict.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::serve {

// What was played, measured and judged.
struct JudgedRun {
    Simulation simulation;
    Measures measures;
    Verdict verdict;

    // Stable, and every class's promise kept.
    [[nodiscard]] bool answersYes() const;
};
[[nodiscard]] JudgedRun judgedRun(const ServingPlan& plan, const Workload& workload, Simulation simulation,
                                  bool recorded);

// A plan played through: what every view of a simulation shows. A value; nothing in it is computed later.
struct ServingRun : JudgedRun {
    Workload workload;
    Surroundings around;
    std::uint64_t seed = 0;
    bool ends = false; // a trace or a day: its times are real, however long the queue becomes meanwhile
    std::vector<Message> assumptions;
    std::vector<Message> warnings;

    // Times that depend on how long an overloaded service was watched say nothing of it.
    [[nodiscard]] bool timesMeanSomething() const { return verdict.stable || ends; }
};

[[nodiscard]] Result<ServingRun> makeServingRun(const ServingPlan& plan, const RunControl& control = {});
// With recorded requests in place of the plan's traffic.
[[nodiscard]] Result<ServingRun> makeServingRun(const ServingPlan& plan, Workload recorded,
                                                const RunControl& control = {});

// A trace at another mean rate: the same requests, the gaps between them stretched or shrunk alike.
void rescaleArrivals(Workload& workload, RequestsPerSecond rate);

} // namespace headroom::serve
