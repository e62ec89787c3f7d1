#pragma once

#include "model/base/message.h"
#include "model/scenario/scenario.h"

#include <functional>
#include <optional>
#include <vector>

namespace headroom {

// Some part of a question that may give way: how it reads with so much of it left.
struct LessAsked {
    double now = 0;
    double least = 0; // less is of no use
    std::function<Scenario(double)> with;
    std::function<Message(double)> text;
    double size = 0; // of giving up none of it, as a remedy's
    // The step that people state it in next below so much; none: it has no such steps, or none below.
    std::function<std::optional<double>(double)> usual{};
};

// Shorter prompts, of no more than so many tokens, shorter answers where a time is promised for all of one,
// fewer users or requests.
[[nodiscard]] std::vector<LessAsked> lessWork(const Scenario& asked, double mostPromptTokens);

// Each target by itself; `also` is what is changed besides.
[[nodiscard]] std::vector<LessAsked> lowerTargets(const Scenario& asked, const Message& also, double size);

} // namespace headroom
