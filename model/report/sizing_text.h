#pragma once

#include "model/ask/question.h"
#include "model/search/search.h"

#include <string>
#include <string_view>

namespace headroom {

// What had to be changed of the question for a plan, and why it has no answer without that.
struct ChangedQuestion {
    Message change; // empty: nothing
    Message why;
};

// The answer to a sizing question on one screen: answer, why, layout, memory, speeds with ranges, cost, what
// was read and assumed, what else was possible. `question` may be null.
[[nodiscard]] std::string sizingText(const SizingPlan& plan, const ask::Question* question,
                                     ask::Language language, const ChangedQuestion& with = {});

} // namespace headroom
