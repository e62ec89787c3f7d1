#include "model/advise/size.h"

#include "app/cli/language.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/sizing.h"
#include "app/cli/verbs.h"
#include "model/import/trace.h"
#include "model/search/search.h"
#include "model/yaml/catalogue.h"

#include <array>

namespace headroom::cli {

namespace {

constexpr std::array sizeFlags{languageFlag};

Exit runSize(const Arguments& arguments, Console& console)
{
    const Result<ask::Language> language = languageFrom(arguments);
    const Result<Scenario> scenario = scenarioFrom(arguments, console);
    if (const Problems problems = joined(language, scenario); !problems.empty())
        return console.refuse(toldIn(language.value_or(ask::Language::English), problems));
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const auto plan = size(*scenario, **catalogue, {.readTrace = readTraceFile});
    if (!plan)
        return console.refuse(toldIn(*language, plan.error()));
    return printSizing(**plan, *language, console);
}

} // namespace

Verb sizeVerb()
{
    return {.name = "size",
            .summary = "fewest or cheapest GPUs and their layout that meet the targets, or the smallest "
                       "changes that would",
            .run = runSize,
            .scenario = true,
            .money = true,
            .formats = true,
            .flags = sizeFlags};
}

} // namespace headroom::cli
