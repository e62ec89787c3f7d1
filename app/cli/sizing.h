#pragma once

#include "app/cli/arguments.h"
#include "app/cli/console.h"
#include "model/ask/question.h"
#include "model/search/search.h"

namespace headroom::cli {

// In the format asked for. Done, or No when nothing meets.
[[nodiscard]] Exit printSizing(const SizingPlan& plan, Console& console);

// The answer to a question. "Does it run?" is answered with what has to change so that it does, "how much
// memory?" with counts, everything else with a sizing.
[[nodiscard]] Exit printAnswer(const Scenario& scenario, const ask::Question& question,
                               const Catalogue& catalogue, Console& console);

} // namespace headroom::cli
