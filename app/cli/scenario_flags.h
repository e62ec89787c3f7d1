#pragma once

#include "app/cli/verb.h"
#include "model/plan/scenario.h"
#include "model/result.h"

#include <span>

namespace headroom::cli {

// --scenario FILE and a flag for every key of a scenario.
[[nodiscard]] std::span<const Flag> scenarioFlags();

// The file first, flags over it; every value that is wrong at once, lengths files read.
[[nodiscard]] Result<Scenario> scenarioFrom(const Arguments& arguments);
[[nodiscard]] Result<Scenario> scenarioFrom(const Arguments& arguments, Scenario base);
[[nodiscard]] Result<Scenario> scenarioFromFile(const std::string& file);

// --json, --csv, --markdown, of which at most one is taken.
[[nodiscard]] std::span<const Flag> formatFlags();
[[nodiscard]] Result<Format> chosenFormat(const Arguments& arguments);

} // namespace headroom::cli
