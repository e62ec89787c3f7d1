#include "app/cli/resolved.h"
#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/advise/fitting_models.h"
#include "model/import/trace.h"
#include "model/json/table_json.h"
#include "model/report/fitting_text.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <ostream>
#include <string_view>

namespace headroom::cli {

namespace {

constexpr std::array fitFlags{
    Flag{"--all", "", "also list what does not run, with the reason"},
};

Exit runFit(const Arguments& arguments, Console& console)
{
    Result<Scenario> scenario = singleScenarioFrom(arguments, console);
    if (!scenario)
        return console.refuse(scenario.error());
    Problems problems;
    if (arguments.flags.contains("--model"))
        problems.push_back({"--model", "is what this verb looks for", "`headroom size` judges one model"});
    if (scenario->gpus.size() != 1)
        problems.push_back({"--gpu",
                            scenario->gpus.empty() ? Message("is missing") : Message("one type at a time"),
                            "for example --gpu l40s --gpus 4"});
    if (!problems.empty())
        return console.refuse(problems);
    if (!scenario->gpuCount)
        scenario->gpuCount = 1;
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    auto models = modelsThatFit(*scenario, **catalogue, readTraceFile);
    if (!models)
        return console.refuse(models.error());
    const auto run
        = std::count_if(models->begin(), models->end(), [](const FittingModel& m) { return m.meets; });
    const bool all = arguments.flags.contains("--all");
    const Table table = fittingTable(*models, all, all || console.format == Format::Json);
    console.out() << (console.format == Format::Json ? tableJson("headroom.fit/1", table) + '\n'
                                                     : inFormat(table, console));
    if (console.format == Format::Text)
        console.out() << '\n'
                      << console.told(fittingSentence(*models, *scenario))
                      << (console.language == ask::Language::Chinese ? "。\n" : ".\n");
    return run > 0 ? Exit::Done : Exit::No;
}

} // namespace

Verb fitVerb()
{
    return {.name = "fit",
            .summary = "lists the models of the catalogue that run on the GPUs you have, and how fast",
            .example = "fit --gpu 4xa100-sxm-80gb",
            .run = runFit,
            .scenario = true,
            .money = true,
            .formats = true,
            .languages = true,
            .flags = fitFlags};
}

} // namespace headroom::cli
