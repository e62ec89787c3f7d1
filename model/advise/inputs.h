#pragma once

#include "model/search/sizing_plan.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom {

// One input of a question that can be turned.
struct Input {
    Message name;
    double value = 0;
    double most = 0; // where looking for a break point ends
    std::function<Scenario(double)> with;
    bool whole = true;
    bool load = false; // how much of it the answer carries is known from its replays
};

// Of a question, which has to outlive them.
[[nodiscard]] std::vector<Input> inputsOf(const Scenario& base);

// The question on the answer's accelerator alone.
[[nodiscard]] Scenario onAnswer(const SizingPlan& plan, Scenario scenario);

} // namespace headroom
