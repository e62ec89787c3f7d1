#pragma once

#include "model/deploy/deployment.h"

namespace headroom {

// Tokens that one step of one rank has room for while so many sequences run there; 0: no budget.
[[nodiscard]] double stepBudget(const Deployment& deployment, double promptTokens, double running);

// Steps after the first token until the piece of the answer goes out that shows it.
[[nodiscard]] double stepsToFirstText(const Deployment& deployment);
// Tokens of those steps: they are seen together with the first, and no time is left for them after it.
[[nodiscard]] double tokensBesideFirst(const Deployment& deployment, double outputTokens);

// Where parts of a prompt grow shorter: others that attention to takes as long as a token's products; else 0.
[[nodiscard]] double productsPerPair(const Deployment& deployment);

} // namespace headroom
