#pragma once

#include "model/ask/question.h"
#include "model/search/sizing_plan.h"

#include <string>

namespace headroom {

// What would change, what it takes then, and how much that is less or more.
[[nodiscard]] std::string hintText(const Hint& hint, ask::Language language);

} // namespace headroom
