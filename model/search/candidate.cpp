#include "model/search/candidate.h"

#include <algorithm>

namespace headroom {

int nodesOf(const Deployment& deployment)
{
    const int perNode = std::max(1, deployment.node->gpusPerNode);
    const int perReplica = deployment.layout.gpusPerReplica();
    if (perReplica >= perNode)
        return deployment.layout.replicas * ((perReplica + perNode - 1) / perNode);
    const int inOne = perNode / perReplica;
    return (deployment.layout.replicas + inOne - 1) / inOne;
}

std::optional<Dollars> purchaseOf(const Candidate& candidate)
{
    const auto of = [](const Resolved& machine, int gpus) -> std::optional<Dollars> {
        const auto& each = machine.scenario.money.purchasePrice;
        return each ? std::optional(*each * gpus) : std::nullopt;
    };
    const auto decodes = of(*candidate.machine, candidate.deployment.layout.gpus());
    if (!decodes || !candidate.prompts)
        return decodes;
    const auto prompts = of(*candidate.prompts->machine, candidate.prompts->deployment.layout.gpus());
    return prompts ? std::optional(*decodes + *prompts) : std::nullopt;
}

int Candidate::nodes() const { return nodesOf(deployment) + (prompts ? nodesOf(prompts->deployment) : 0); }

std::string_view Candidate::limitedBy() const
{
    if (!point.prediction.memory.fits)
        return "memory capacity";
    if (meets && concurrencyLimit == Capacity::Limit::Memory)
        return "memory capacity";
    if (meets && concurrencyLimit == Capacity::Limit::EngineSequences)
        return "the engine's limit of sequences";
    const StepCost& step = missed == TargetKind::Ttft ? point.prediction.prefill : point.prediction.decode;
    switch (step.bound) {
    case Bound::Compute:
        return "compute";
    case Bound::Memory:
        return "memory bandwidth";
    case Bound::Launch:
        return "launch and host time";
    case Bound::Link:
        return "link";
    }
    return "memory bandwidth";
}

} // namespace headroom
