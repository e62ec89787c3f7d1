#include "model/launch/launch_pools.h"

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

Result<PooledCommands> pooledCommands(const LaunchedPools& pools)
{
    const LaunchRole role = pools.prompts ? LaunchRole::Decodes : LaunchRole::All;
    const Result<LaunchCommand> decodes = launchCommand(pools.decodes, role);
    if (!decodes)
        return refuse(decodes.error());
    if (!pools.prompts)
        return PooledCommands{*decodes, std::nullopt, std::nullopt};
    const Result<LaunchCommand> prompts = launchCommand(*pools.prompts, LaunchRole::Prompts);
    if (!prompts)
        return refuse(prompts.error());
    return PooledCommands{*decodes, *prompts,
                          launchRouter(*prompts, pools.prompts->deployment.layout.replicas, *decodes,
                                       pools.decodes.deployment.layout.replicas)};
}

Result<std::string> launchText(const LaunchedPools& pools, LaunchTarget target, const CommentTeller& tell)
{
    const Result<PooledCommands> commands = pooledCommands(pools);
    if (!commands)
        return refuse(commands.error());
    std::string decodes = launchText(commands->decodes, pools.decodes, target, tell);
    if (!pools.prompts)
        return decodes;
    const bool kubernetes = target == LaunchTarget::Kubernetes;
    return launchText(*commands->prompts, *pools.prompts, target, tell) + (kubernetes ? "---\n" : "\n")
        + decodes + (kubernetes ? "" : "\n" + routerText(*commands->router, tell));
}

} // namespace headroom
