#pragma once

#include "model/ask/question.h"
#include "model/search/sizing_plan.h"

#include <string>

namespace headroom {

// The services that one may choose from, the recommended one with the reason; empty where the answer is no.
[[nodiscard]] std::string choicesText(const SizingPlan& plan, ask::Language language);

} // namespace headroom
