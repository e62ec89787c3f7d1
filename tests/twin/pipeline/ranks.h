#pragma once

#include "pipeline.h"

#include <functional>
#include <vector>

namespace headroom::twin {

// Seconds of one step, from what each rank runs in it.
using RanksTime = std::function<double(const std::vector<MicroBatch>&)>;

// Data-parallel attention: every rank has a scheduler and requests of its own, and all take their steps
// together, for the experts of a layer wait for the tokens of every rank. A request goes to the rank that has
// the fewest (vLLM: v1/engine/core_client.py, DPLBAsyncMPClient.get_core_engine_for_request; SGLang:
// managers/data_parallel_controller.py). Of `rules` the budget, the most sequences (of one rank), the
// mixing and the steps before admission count: those pass after a request was let in, unless no rank has
// anything to do.
[[nodiscard]] PipelineRun runRanks(const PipelineRules& rules, int ranks, const RanksTime& time,
                                   const std::vector<Request>& requests, int users);

} // namespace headroom::twin
