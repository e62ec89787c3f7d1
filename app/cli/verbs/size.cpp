#include "model/advise/size.h"

#include "app/cli/scenario_flags.h"
#include "app/cli/sizing.h"
#include "app/cli/verbs.h"
#include "model/import/trace.h"
#include "model/search/search.h"
#include "model/yaml/catalogue.h"

#include <array>

namespace headroom::cli {

namespace {

Exit runSize(const Arguments& arguments, Console& console)
{
    const Result<Scenario> scenario = scenarioFrom(arguments, console);
    if (!scenario)
        return console.refuse(scenario.error());
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const auto plan = size(*scenario, **catalogue, {.readTrace = readTraceFile});
    if (!plan)
        return console.refuse(plan.error());
    return printSizing(**plan, console);
}

} // namespace

Verb sizeVerb()
{
    return {.name = "size",
            .summary = "finds the fewest or cheapest GPUs that meet the targets and how to arrange them, or "
                       "the smallest changes that would",
            .example
            = "size --model llama-3.1-70b --gpu a100-sxm-80gb,h100-sxm-80gb --tps 20 --concurrency 100",
            .run = runSize,
            .scenario = true,
            .money = true,
            .formats = true,
            .languages = true};
}

} // namespace headroom::cli
