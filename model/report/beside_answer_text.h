#pragma once

#include "model/ask/question.h"
#include "model/search/search.h"

#include <string>

namespace headroom {

// What stands beside a sizing answer: what else would do, the next best, where the answer changes, years and
// days, what was assumed. `question` may be null.
[[nodiscard]] std::string besideTheAnswer(const SizingPlan& plan, const ask::Question* question,
                                          ask::Language language);

} // namespace headroom
