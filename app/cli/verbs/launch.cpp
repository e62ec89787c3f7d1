#include "model/plan/launch.h"

#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/json/launch_json.h"
#include "model/plan/search.h"
#include "model/yaml/catalogue.h"

#include <array>
#include <ostream>

namespace headroom::cli {

namespace {

constexpr std::array flags{
    Flag{"--kubernetes", "", "as Kubernetes YAML"},
    Flag{"--slurm", "", "as a Slurm batch script"},
};

Result<Resolved> chosen(const Scenario& scenario, const Catalogue& catalogue)
{
    // A layout that is given is started as it is; else the one that `size` answers with.
    if (scenario.tp && !scenario.gpus.empty())
        return resolve(scenario, catalogue);
    const auto plan = size(scenario, catalogue, {.prune = true, .explain = false});
    if (!plan)
        return refuse(plan.error());
    if (!(*plan)->meets)
        return refuse("launch", "nothing meets the targets: " + (*plan)->reason,
                      "`headroom size` shows what would");
    const Candidate& answer = (*plan)->answer;
    Resolved resolved = *answer.machine;
    resolved.deployment = answer.deployment;
    resolved.load = answer.load;
    return resolved;
}

Exit run(const Arguments& arguments, Console& console)
{
    const Result<Scenario> scenario = scenarioFrom(arguments, console);
    if (!scenario)
        return console.refuse(scenario.error());
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const Result<Resolved> resolved = chosen(*scenario, **catalogue);
    if (!resolved)
        return console.refuse(resolved.error());
    const Result<LaunchCommand> command = launchCommand(*resolved);
    if (!command)
        return console.refuse(command.error());
    const LaunchTarget target = arguments.has("--kubernetes") ? LaunchTarget::Kubernetes
        : arguments.has("--slurm")                            ? LaunchTarget::Slurm
                                                              : LaunchTarget::Shell;
    if (console.format == Format::Json)
        console.out() << launchJson(*command, *resolved, target) << '\n';
    else
        console.out() << launchText(*command, *resolved, target);
    return Exit::Done;
}

} // namespace

Verb launchVerb()
{
    return {.name = "launch",
            .summary = "the command line or config that starts the chosen layout on the chosen engine",
            .run = run,
            .scenario = true,
            .formats = true,
            .flags = flags};
}

} // namespace headroom::cli
