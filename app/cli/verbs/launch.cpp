#include "model/plan/launch.h"

#include "app/cli/scenario_flags.h"
#include "app/cli/verbs.h"
#include "model/json/launch_json.h"
#include "model/plan/search.h"
#include "model/yaml/catalogue.h"

#include <array>
#include <optional>
#include <ostream>
#include <utility>

namespace headroom::cli {

namespace {

constexpr std::array flags{
    Flag{"--kubernetes", "", "as Kubernetes YAML"},
    Flag{"--slurm", "", "as a Slurm batch script"},
};

struct Chosen {
    Resolved resolved;
    std::optional<Resolved> prompts; // of a pool of their own
};

Resolved of(const Resolved& machine, const Deployment& deployment, const Load& load)
{
    Resolved out = machine;
    out.deployment = deployment;
    out.load = load;
    return out;
}

Result<Chosen> chosen(const Scenario& scenario, const Catalogue& catalogue)
{
    // A layout that is given is started as it is; else the one that `size` answers with.
    if (scenario.tp && !scenario.gpus.empty() && scenario.prefill.pools == Disaggregation::No)
        return resolve(scenario, catalogue).map([](Resolved one) {
            return Chosen{std::move(one), std::nullopt};
        });
    const auto plan = size(scenario, catalogue, {.prune = true, .explain = false});
    if (!plan)
        return refuse(plan.error());
    if (!(*plan)->meets)
        return refuse("launch", "nothing meets the targets: " + (*plan)->reason,
                      "`headroom size` shows what would");
    const Candidate& answer = (*plan)->answer;
    Chosen out{of(*answer.machine, answer.deployment, answer.load), std::nullopt};
    if (answer.prompts) {
        Load prompts = answer.load;
        prompts.batch = 1;
        out.prompts = of(*answer.prompts->machine, answer.prompts->deployment, prompts);
    }
    return out;
}

// Both pools and the router in front of them.
Exit printPools(const Chosen& chosen, LaunchTarget target, Console& console)
{
    const Result<LaunchCommand> prompts = launchCommand(*chosen.prompts, LaunchRole::Prompts);
    const Result<LaunchCommand> decodes = launchCommand(chosen.resolved, LaunchRole::Decodes);
    if (!prompts || !decodes)
        return console.refuse(!prompts ? prompts.error() : decodes.error());
    const LaunchRouter router = launchRouter(*prompts, chosen.prompts->deployment.layout.replicas, *decodes,
                                             chosen.resolved.deployment.layout.replicas);
    if (console.format == Format::Json)
        console.out() << launchJson(*prompts, *chosen.prompts, *decodes, chosen.resolved, router, target)
                      << '\n';
    else
        console.out() << launchText(*prompts, *chosen.prompts, target)
                      << (target == LaunchTarget::Kubernetes ? "---\n" : "\n")
                      << launchText(*decodes, chosen.resolved, target)
                      << (target == LaunchTarget::Kubernetes ? "" : "\n" + routerText(router));
    return Exit::Done;
}

Exit run(const Arguments& arguments, Console& console)
{
    const Result<Scenario> scenario = scenarioFrom(arguments, console);
    if (!scenario)
        return console.refuse(scenario.error());
    const auto catalogue = console.catalogue();
    if (!catalogue)
        return console.refuse(catalogue.error());
    const Result<Chosen> choice = chosen(*scenario, **catalogue);
    if (!choice)
        return console.refuse(choice.error());
    const LaunchTarget target = arguments.has("--kubernetes") ? LaunchTarget::Kubernetes
        : arguments.has("--slurm")                            ? LaunchTarget::Slurm
                                                              : LaunchTarget::Shell;
    if (choice->prompts)
        return printPools(*choice, target, console);
    const Resolved& resolved = choice->resolved;
    const Result<LaunchCommand> command = launchCommand(resolved);
    if (!command)
        return console.refuse(command.error());
    if (console.format == Format::Json)
        console.out() << launchJson(*command, resolved, target) << '\n';
    else
        console.out() << launchText(*command, resolved, target);
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
