#pragma once

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "model/ask/question.h"
#include "model/plan/search.h"

namespace headroom::cli {

// --lang en|zh, else `usual`.
[[nodiscard]] Result<ask::Language> languageFrom(const Arguments& arguments, ask::Language usual);

// In the format asked for; `question` may be null. Done, or No when nothing meets.
[[nodiscard]] Exit printSizing(const SizingPlan& plan, const ask::Question* question, ask::Language language,
                               Console& console);

} // namespace headroom::cli
