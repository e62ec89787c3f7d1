#pragma once

#include "model/advise/explain_plan.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

// A question with one thing changed that its answer may hang on.
struct TriedChange {
    Hint::Kind kind = Hint::Kind::Types;
    Message change;    // "fp8 weights"
    std::string flags; // "--weights fp8"
    Scenario scenario;
};

// What may be changed of a question that has this answer, the smaller of two changes of a kind first. What
// was stated is left alone, but for targets and the machine.
[[nodiscard]] std::vector<TriedChange> changesOf(const SizingPlan& plan, const Scenario& scenario);

} // namespace headroom
