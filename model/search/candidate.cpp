#include "model/search/candidate.h"

#include "model/resolve/money.h"

#include <algorithm>

namespace headroom {

std::optional<Dollars> purchaseOf(const Candidate& candidate)
{
    const auto of = [](const Resolved& machine, const Deployment& d) -> std::optional<Dollars> {
        const Money& money = machine.scenario.money;
        return money.purchasePrice ? std::optional(purchaseBill(d, *money.purchasePrice, money).total())
                                   : std::nullopt;
    };
    const auto decodes = of(*candidate.machine, candidate.deployment);
    if (!decodes || !candidate.prompts)
        return decodes;
    const auto prompts = of(*candidate.prompts->machine, candidate.prompts->deployment);
    return prompts ? std::optional(*decodes + *prompts) : std::nullopt;
}

int Candidate::nodes() const { return nodesOf(deployment) + (prompts ? nodesOf(prompts->deployment) : 0); }

Message Candidate::limitedBy() const
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
