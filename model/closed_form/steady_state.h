#pragma once

#include "model/base/units.h"
#include "model/closed_form/scheduling.h"
#include "model/closed_form/step_work.h"
#include "model/scenario/request.h"

#include <cstdint>

namespace headroom::serve {

// Requests by their means.
struct SteadyLoad {
    double promptTokens = 1024;
    double outputTokens = 256;
    double cachedTokens = 0;  // of the prompt, found in the prefix cache
    double decodeContext = 0; // cached tokens an average decode reads; 0: prompt and half of the answer

    bool promptElsewhere = false; // a prefill pool computes prompts; only their cache is held here

    [[nodiscard]] double newTokens() const;
    [[nodiscard]] double context() const;
};
// Means of a workload; long answers count for as many decodes as they are long.
[[nodiscard]] SteadyLoad meansOf(const Workload& workload);

// What keeps the throughput from growing.
enum class SteadyLimit : std::uint8_t {
    Load,    // nothing: there is not more to do
    Slots,   // sequences at once
    Cache,   // room for their cache
    Prefill, // prompts take the whole token budget
};

// What one replica serves in its steady state, by its means.
struct SteadyState {
    RequestsPerSecond requestRate;
    SteadyLimit limit = SteadyLimit::Load;
};

// Little's law over the curve of step times, no simulation: a batch of B decodes that each need D more steps
// lets B / D prompts in with every step, which makes the step longer. Prompts that start with one step are
// taken as Poisson-distributed. With as many sequences as fit, at all times.
[[nodiscard]] SteadyState steadySaturated(const StepTime& stepTime, const Scheduling& scheduling,
                                          const SteadyLoad& load);

} // namespace headroom::serve
