#pragma once

#include "model/ask/question.h"
#include "model/plan/search.h"

#include <string>

namespace headroom {

// The answer to a sizing question on one screen: answer, why, layout, memory, speeds with ranges, cost, what
// was read and assumed, what else was possible. `question` may be null.
[[nodiscard]] std::string sizingText(const SizingPlan& plan, const ask::Question* question,
                                     ask::Language language);

} // namespace headroom
