// How many replicas of two pools stand the traffic.
#include "model/search/pools.h"
#include "model/search/replica_search.h"

#include <algorithm>

namespace headroom {

namespace {

// Whether the pool for prompts is what holds a service back: its first tokens come too late, or are what is
// least sure of what was promised.
bool firstTokensDecide(const Candidate& c, const Targets& targets)
{
    if (!targets.ttft)
        return false;
    const double first = c.simulated->ttft / *targets.ttft;
    double others = 0;
    if (targets.tpot)
        others = c.simulated->tpot / *targets.tpot;
    if (targets.tokensPerSecond)
        others = std::max(others, c.simulated->tpot.base() * *targets.tokensPerSecond);
    if (targets.latency)
        others = std::max(others, c.simulated->latency / *targets.latency);
    return first > 1 || first > others;
}

} // namespace

// Grows the pool that the missed target hangs on until the percentile holds.
Candidate ReplicaSearch::settledPools(const Candidate& candidate)
{
    const Scenario& scenario = m_replays.scenario();
    PoolSizes sizes{candidate.prompts->deployment.layout.replicas, candidate.deployment.layout.replicas};
    const PoolSizes most{sizes.prompts * 4 + 4, sizes.decodes * 4 + 4};
    Candidate best = m_replays.whole(m_replays.playedPools(candidate, sizes));
    const bool fixed = scenario.gpuCount || (scenario.replicas && scenario.prefill.replicas);
    while (!best.meets && best.simulated && !fixed && !m_replays.exhausted() && sizes.prompts < most.prompts
           && sizes.decodes < most.decodes) {
        const bool prompts = !scenario.prefill.replicas
            && (scenario.replicas || firstTokensDecide(best, scenario.targets)
                || (!best.simulated->stable && best.prompts->busy > 0.8));
        int& grown = prompts ? sizes.prompts : sizes.decodes;
        grown += std::max(1, grown / 8);
        best = m_replays.whole(m_replays.playedPools(candidate, sizes));
    }
    return best;
}

} // namespace headroom
