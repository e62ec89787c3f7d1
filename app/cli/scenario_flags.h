#pragma once

#include "app/cli/verb.h"
#include "model/base/currency.h"
#include "model/base/result.h"
#include "model/yaml/scenario_yaml.h"

#include <span>

namespace headroom::cli {

// --scenario FILE and a flag for every key of a scenario.
[[nodiscard]] std::span<const Flag> scenarioFlags();

// `base`, the file of --scenario over it, flags over both; lengths files read.
[[nodiscard]] ScenarioReading saidScenario(const Arguments& arguments, Scenario base = {});

// Everything that is wrong with the scenario and with the names in it, each with its place; empty when all is
// well.
[[nodiscard]] Problems problemsOf(const ScenarioReading& said, Console& console);

// The scenario, or all problems. The console learns where each key was said, for what only shows later.
[[nodiscard]] Result<Scenario> scenarioFrom(const Arguments& arguments, Console& console, Scenario base = {});
// The same for what works out one number: a range is refused, and what is to be weighed.
[[nodiscard]] Result<Scenario> singleScenarioFrom(const Arguments& arguments, Console& console);

// The problems of all that was refused, in one round.
template <typename... T>
[[nodiscard]] Problems joined(const Result<T>&... results)
{
    Problems all;
    const auto add = [&all](const auto& result) {
        if (!result)
            all.insert(all.end(), result.error().begin(), result.error().end());
    };
    (add(results), ...);
    return all;
}

// --currency, of verbs that tell amounts of money; dollars where it was not typed.
[[nodiscard]] std::span<const Flag> currencyFlags();
[[nodiscard]] Result<Currency> chosenCurrency(const Arguments& arguments);

// --json, --csv, --markdown, of which at most one is taken.
[[nodiscard]] std::span<const Flag> formatFlags();
// `-o FILE`, for every verb that prints results in formats, unless the verb declares an -o of its own.
[[nodiscard]] const Flag& outputFlag();
[[nodiscard]] bool takesOutputFlag(const Verb& verb);
[[nodiscard]] Result<Format> chosenFormat(const Arguments& arguments);

} // namespace headroom::cli
