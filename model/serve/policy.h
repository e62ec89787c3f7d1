#pragma once

#include "model/serve/batch.h"

#include <cstdint>
#include <vector>

namespace headroom::serve {

// What the next step does: these chunks of prompts, and one token for every decoding sequence if `decodes`.
struct StepPlan {
    struct Chunk {
        std::int32_t sequence = 0; // index into Batch::running()
        std::int32_t tokens = 0;
    };
    std::vector<Chunk> chunks;
    bool decodes = false;
    std::vector<std::int32_t> preempted; // requests sent back to the line
    std::vector<std::int32_t> joined;    // requests whose cache has come: their first token is shown now
    Seconds begins;                      // set by who asks for the plan
    std::int64_t movedTokens = 0;        // cache swapped out or in before the step

    [[nodiscard]] bool idle() const { return chunks.empty() && !decodes; }
    void clear();
};

// Admits, preempts and reserves blocks for one step by the rules of `batch.scheduling().kind`.
void planStep(Batch& batch, StepPlan& plan);

} // namespace headroom::serve
