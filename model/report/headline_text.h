#pragma once

#include "model/ask/question.h"
#include "model/report/sizing_text.h"

#include <string>

namespace headroom {

// The first lines of a sizing answer: what was asked, and what to be safe would take. `question` may be null.
[[nodiscard]] std::string headlineText(const SizingPlan& plan, const ask::Question* question,
                                       ask::Language language, const ChangedQuestion& with);

} // namespace headroom
