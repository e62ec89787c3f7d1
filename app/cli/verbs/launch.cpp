#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/advise/size.h"
#include "model/import/trace.h"
#include "model/json/launch_json.h"
#include "model/launch/launch_pools.h"
#include "model/search/search.h"
#include "model/yaml/catalogue.h"

#include <array>
#include <optional>
#include <ostream>
#include <utility>

namespace headroom::cli {

namespace {

constexpr std::array launchFlags{
    Flag{"--kubernetes", "", "as Kubernetes YAML"},
    Flag{"--slurm", "", "as a Slurm batch script"},
};

Result<LaunchedPools> chosen(const Scenario& scenario, const Catalogue& catalogue)
{
    // A layout that is given is started as it is; else the one that `size` answers with.
    if (scenario.tp && !scenario.gpus.empty() && scenario.prefill.pools == Disaggregation::No)
        return resolve(scenario, catalogue).map([](Resolved one) {
            return LaunchedPools{std::move(one), std::nullopt};
        });
    const auto plan = size(scenario, catalogue, {.explain = false, .readTrace = readTraceFile});
    if (!plan)
        return refuse(plan.error());
    if (!(*plan)->meets)
        return refuse("launch", say("nothing meets the targets: {}", (*plan)->reason),
                      "`headroom size` shows what would");
    return launchedPools((*plan)->answer);
}

Result<std::string> jsonOf(const LaunchedPools& pools, LaunchTarget target)
{
    return pooledCommands(pools).map([&](const PooledCommands& commands) {
        return pools.prompts ? launchJson(*commands.prompts, *pools.prompts, commands.decodes, pools.decodes,
                                          *commands.router, target)
                             : launchJson(commands.decodes, pools.decodes, target);
    });
}

Exit runLaunch(const Arguments& arguments, Console& console)
{
    const Result<Scenario> scenario = singleScenarioFrom(arguments, console);
    if (!scenario)
        return console.refuse(scenario.error());
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const Result<LaunchedPools> pools = chosen(*scenario, **catalogue);
    if (!pools)
        return console.refuse(pools.error());
    const LaunchTarget target = arguments.has("--kubernetes") ? LaunchTarget::Kubernetes
        : arguments.has("--slurm")                            ? LaunchTarget::Slurm
                                                              : LaunchTarget::Shell;
    const bool json = console.format == Format::Json;
    const Result<std::string> text = json
        ? jsonOf(*pools, target)
        : launchText(*pools, target, [&console](const Message& comment) { return console.told(comment); });
    if (!text)
        return console.refuse(text.error());
    console.out() << *text << (json ? "\n" : "");
    return Exit::Done;
}

} // namespace

Verb launchVerb()
{
    return {.name = "launch",
            .summary = "writes the command line or configuration that starts the layout on the engine",
            .example = "launch --model llama-3.1-70b --gpu a100-sxm-80gb --engine vllm --tp 4 --kubernetes",
            .run = runLaunch,
            .scenario = true,
            .formats = true,
            .languages = true,
            .flags = launchFlags};
}

} // namespace headroom::cli
