#include "model/plan/launch_pools.h"

namespace headroom {

namespace {

Resolved of(const Resolved& machine, const Deployment& deployment, const Load& load)
{
    Resolved out = machine;
    out.deployment = deployment;
    out.load = load;
    return out;
}

} // namespace

LaunchedPools launchedPools(const Candidate& answer)
{
    LaunchedPools out{of(*answer.machine, answer.deployment, answer.load), std::nullopt};
    if (answer.prompts) {
        Load prompts = answer.load;
        prompts.batch = 1;
        out.prompts = of(*answer.prompts->machine, answer.prompts->deployment, prompts);
    }
    return out;
}

Result<std::string> launchText(const LaunchedPools& pools, LaunchTarget target)
{
    if (!pools.prompts)
        return launchCommand(pools.decodes).map([&](const LaunchCommand& command) {
            return launchText(command, pools.decodes, target);
        });
    const Result<LaunchCommand> prompts = launchCommand(*pools.prompts, LaunchRole::Prompts);
    const Result<LaunchCommand> decodes = launchCommand(pools.decodes, LaunchRole::Decodes);
    if (!prompts || !decodes)
        return refuse(!prompts ? prompts.error() : decodes.error());
    const LaunchRouter router = launchRouter(*prompts, pools.prompts->deployment.layout.replicas, *decodes,
                                             pools.decodes.deployment.layout.replicas);
    const bool kubernetes = target == LaunchTarget::Kubernetes;
    return launchText(*prompts, *pools.prompts, target) + (kubernetes ? "---\n" : "\n")
        + launchText(*decodes, pools.decodes, target) + (kubernetes ? "" : "\n" + routerText(router));
}

} // namespace headroom
