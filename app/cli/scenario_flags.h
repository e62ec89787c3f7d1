#pragma once

#include "app/cli/verb.h"
#include "model/result.h"

#include <span>

namespace headroom::cli {

// --scenario FILE and a flag for every key of a scenario.
[[nodiscard]] std::span<const Flag> scenarioFlags();

// --json, --csv, --markdown, of which at most one is taken.
[[nodiscard]] std::span<const Flag> formatFlags();
[[nodiscard]] Result<Format> chosenFormat(const Arguments& arguments);

} // namespace headroom::cli
