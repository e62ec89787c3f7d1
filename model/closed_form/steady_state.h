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
    double longestOutput = 0;     // of all answers: how long the last of a batch drags on; 0: all are alike

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

// One replica in a steady state, by its means.
struct SteadyState {
    bool stable = true; // open loop: false when requests come faster than they can be served
    Seconds queue;      // until first scheduled
    Seconds ttft;
    Seconds tpot; // with the prompts of others in between
    Seconds latency;
    TokensPerSecond outputRate;
    RequestsPerSecond requestRate;
    double decoding = 0; // sequences
    double running = 0;  // sequences, prompts under way included
    double kvTokens = 0;
    SteadyLimit limit = SteadyLimit::Load;
};

// Little's law over the curve of step times, no simulation: a batch of B decodes that each need D more steps
// lets B / D prompts in with every step, which makes the step longer; the batch that fits the load is the
// answer. Prompts that start with one step are taken as Poisson-distributed.

// Requests come on their own, Poisson, at this rate. Unstable: the state at capacity, its `requestRate` is
// the capacity.
[[nodiscard]] SteadyState steadyOpenLoop(const StepTime& stepTime, const Scheduling& scheduling,
                                         const SteadyLoad& load, RequestsPerSecond rate);
// As many as fit, at all times.
[[nodiscard]] SteadyState steadySaturated(const StepTime& stepTime, const Scheduling& scheduling,
                                          const SteadyLoad& load);
// All `requests` present at once, from the first step to the last answer: the batch fills, holds and drains.
[[nodiscard]] Seconds offlineTime(const StepTime& stepTime, const Scheduling& scheduling,
                                  const SteadyLoad& load, std::int64_t requests);

} // namespace headroom::serve
