#pragma once

#include "model/ask/question.h"
#include "model/plan/search.h"

#include <string>
#include <string_view>

namespace headroom {

// The answer to a sizing question on one screen: answer, why, layout, memory, speeds with ranges, cost, what
// was read and assumed, what else was possible. `question` may be null. `with`: what had to be changed of the
// question for this plan.
[[nodiscard]] std::string sizingText(const SizingPlan& plan, const ask::Question* question,
                                     ask::Language language, std::string_view with = {});

} // namespace headroom
