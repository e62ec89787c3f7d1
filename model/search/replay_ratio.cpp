#include "model/search/replay_ratio.h"

namespace headroom {

std::optional<ReplayRatio> replayRatioOf(const Candidate& c)
{
    if (!c.simulated || !c.simulated->stable)
        return std::nullopt;
    const SimulatedService::Means& said = c.simulated->closedForm;
    const auto over = [](Seconds replayed, Seconds closedForm) {
        return closedForm.base() > 0 && replayed.base() > 0 ? replayed / closedForm : 1;
    };
    return ReplayRatio{over(c.simulated->ttft, said.ttft), over(c.simulated->tpot, said.tpot),
                       over(c.simulated->latency, said.latency)};
}

ReplayRatio upperEnds(const UserTimes& point)
{
    const auto over = [](const Estimate<Seconds>& time) { return time.high / time.value; };
    return {over(point.ttft), over(point.tpot), over(point.latency)};
}

Targets shrunk(Targets targets, const ReplayRatio& by)
{
    if (targets.ttft)
        *targets.ttft = *targets.ttft / by.ttft;
    if (targets.tpot)
        *targets.tpot = *targets.tpot / by.tpot;
    if (targets.tokensPerSecond)
        *targets.tokensPerSecond *= by.tpot;
    if (targets.latency)
        *targets.latency = *targets.latency / by.latency;
    return targets;
}

} // namespace headroom
