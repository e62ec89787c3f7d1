#pragma once

#include "model/advise/memory_need.h"
#include "model/ask/question.h"
#include "model/search/search.h"

#include <string>

namespace headroom {

// What a question gets beside the answer to its scenario.
struct BesideAnswer {
    const MemoryNeed* memory = nullptr; // of a question about memory: "memory"
    const Remedy* firstEnablingRemedy
        = nullptr; // that makes the machine asked about run the model: "runs_with"
};

// {"schema": "headroom.size/1", …}: of a scenario, or of a question with its interpretation.
[[nodiscard]] std::string sizingJson(const SizingPlan& plan);
[[nodiscard]] std::string sizingJson(const SizingPlan& plan, const ask::Question& question,
                                     const BesideAnswer& beside = {});

} // namespace headroom
