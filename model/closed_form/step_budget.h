#pragma once

#include "model/deploy/deployment.h"

namespace headroom {

// Tokens that one step of one rank has room for while so many sequences run there; 0: no budget.
[[nodiscard]] double stepBudget(const Deployment& deployment, double promptTokens, double running);

// Steps after the first token until the piece of the answer goes out that shows it.
[[nodiscard]] double stepsToFirstText(const Deployment& deployment);
// Tokens of those steps: they are seen together with the first, and no time is left for them after it.
[[nodiscard]] double tokensBesideFirst(const Deployment& deployment, double outputTokens);

// What a step of prompts has room for, in tokens; a budget of 0: no limit. `splits`: a prompt is cut where
// its budget ends.
struct PromptRoom {
    double cache = 0;
    double budget = 0;
    bool splits = true;
};
// Passes of prompts that a pipeline of so many lanes has under way at once. A pass takes as many prompts as
// its budget has room for, and they stay in the cache until they are sent on: where that holds no more than
// one pass takes, the next begins when it is through all stages.
[[nodiscard]] double passesOfPrompts(const PromptRoom& room, double promptTokens, double lanes);

// Where parts of a prompt grow shorter: others that attention to takes as long as a token's products; else 0.
[[nodiscard]] double productsPerPair(const Deployment& deployment);

} // namespace headroom
