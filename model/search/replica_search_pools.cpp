// How many replicas of two pools stand the traffic.
#include "model/search/pools.h"
#include "model/search/replica_search.h"

#include <algorithm>
#include <limits>
#include <optional>

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

bool promptsHold(const Candidate& c, const Targets& targets)
{
    return firstTokensDecide(c, targets) || (!c.simulated->stable && c.prompts->busy > 0.8);
}

// The pool that holds a service back gets so many replicas more, or a few beyond them, and the other gives up
// their GPUs; none where it has no more to give.
std::optional<PoolSizes> shifted(const Candidate& c, const PoolSizes& sizes, bool prompts, int more, int gpus)
{
    const int promptGpus = c.prompts->deployment.layout.gpusPerReplica();
    const int decodeGpus = c.deployment.layout.gpusPerReplica();
    PoolSizes out = sizes;
    int& grown = prompts ? out.prompts : out.decodes;
    int& given = prompts ? out.decodes : out.prompts;
    const int grownGpus = prompts ? promptGpus : decodeGpus;
    const int givenGpus = prompts ? decodeGpus : promptGpus;
    given = std::min(given, (gpus - (grown + more) * grownGpus) / givenGpus);
    if (given < 1)
        return std::nullopt;
    grown = (gpus - given * givenGpus) / grownGpus;
    return out;
}

} // namespace

// Grows the pool that the missed target hangs on until the percentile holds.
Candidate ReplicaSearch::settledPools(const Candidate& candidate)
{
    const Scenario& scenario = m_replays.scenario();
    if (scenario.gpuCount && !scenario.replicas && !scenario.prefill.replicas)
        return dividedPools(candidate, *scenario.gpuCount);
    PoolSizes sizes{candidate.prompts->deployment.layout.replicas, candidate.deployment.layout.replicas};
    const PoolSizes most{sizes.prompts * 4 + 4, sizes.decodes * 4 + 4};
    Candidate best = m_replays.whole(m_replays.playedPools(candidate, sizes));
    const bool fixed = scenario.gpuCount || (scenario.replicas && scenario.prefill.replicas);
    while (!best.meets && best.simulated && !fixed && !m_replays.exhausted() && sizes.prompts < most.prompts
           && sizes.decodes < most.decodes) {
        const bool prompts
            = !scenario.prefill.replicas && (scenario.replicas || promptsHold(best, scenario.targets));
        int& grown = prompts ? sizes.prompts : sizes.decodes;
        grown += std::max(1, grown / 8);
        best = m_replays.whole(m_replays.playedPools(candidate, sizes));
    }
    return best;
}

// Of GPUs whose number was stated, what one pool gets the other gives: the closed form divides them so that
// averages just hold, and a replay asks for more. Smaller steps where it went too far.
Candidate ReplicaSearch::dividedPools(const Candidate& candidate, int gpus)
{
    const Targets& targets = m_replays.scenario().targets;
    PoolSizes sizes{candidate.prompts->deployment.layout.replicas, candidate.deployment.layout.replicas};
    const Candidate first = m_replays.whole(m_replays.playedPools(candidate, sizes));
    Candidate last = first;
    std::optional<bool> towards; // prompts
    int most = std::numeric_limits<int>::max();
    while (!last.meets && last.simulated && !m_replays.exhausted()) {
        const bool prompts = promptsHold(last, targets);
        const int grown = prompts ? sizes.prompts : sizes.decodes;
        int more = std::min(std::max(1, grown / 8), most);
        if (towards.value_or(prompts) != prompts && (more = most = more / 2) < 1)
            break;
        towards = prompts;
        const std::optional<PoolSizes> next = shifted(candidate, sizes, prompts, more, gpus);
        if (!next || (next->prompts == sizes.prompts && next->decodes == sizes.decodes))
            break;
        sizes = *next;
        last = m_replays.whole(m_replays.playedPools(candidate, sizes));
    }
    return last.meets ? last : first;
}

} // namespace headroom
