#pragma once

#include "model/ask/question.h"
#include "model/plan/search.h"

#include <string>

namespace headroom {

// {"schema": "headroom.size/1", …}: of a scenario, or of a question with its interpretation.
[[nodiscard]] std::string sizingJson(const SizingPlan& plan);
[[nodiscard]] std::string sizingJson(const SizingPlan& plan, const ask::Question& question);

} // namespace headroom
