#include "model/search/candidate.h"

#include "model/resolve/money.h"

#include <algorithm>

namespace headroom {

namespace {

// The replayed value with the relative interval of its closed form: how well the machine is known does not
// change by playing on it.
double ratio(Seconds replayed, const Estimate<Seconds>& closedForm)
{
    return closedForm.value.base() > 0 && replayed.base() > 0 ? replayed / closedForm.value : 1;
}

} // namespace

void tellReplayed(OperatingPoint& point, const SimulatedService& replay)
{
    if (!replay.stable)
        return;
    const double slower = ratio(replay.mean.tpot, point.tpot);
    point.ttft = point.ttft * ratio(replay.mean.ttft, point.ttft);
    point.tpot = point.tpot * slower;
    point.linePerToken = {}; // the replay has it in the time to the first token
    point.latency = point.latency * ratio(replay.mean.latency, point.latency);
    point.tokensPerSecondPerUser = point.tokensPerSecondPerUser * (1 / slower);
    Prediction& p = point.prediction;
    const double told = p.requestsPerSecond.value.base();
    if (!replay.takesTurns || told <= 0 || replay.requestsPerSecond <= 0)
        return;
    const double more = replay.requestsPerSecond / told;
    p.requestsPerSecond = p.requestsPerSecond * more;
    p.service.outputTokensPerSecond = p.service.outputTokensPerSecond * more;
    p.service.totalTokensPerSecond = p.service.totalTokensPerSecond * more;
    p.service.dollarsPerMillionOutputTokens = p.service.dollarsPerMillionOutputTokens * (1 / more);
    p.service.joulesPerOutputToken = p.service.joulesPerOutputToken * (1 / more);
}

UserTimes judgedTimes(const Candidate& c)
{
    UserTimes out = c.point;
    if (!c.simulated || !c.simulated->stable)
        return out;
    const double slower = ratio(c.simulated->tpot, out.tpot);
    out.ttft = out.ttft * ratio(c.simulated->ttft, out.ttft);
    out.tpot = out.tpot * slower;
    out.linePerToken = {};
    out.latency = out.latency * ratio(c.simulated->latency, out.latency);
    out.tokensPerSecondPerUser = out.tokensPerSecondPerUser * (1 / slower);
    return out;
}

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
