// How many replicas of two pools stand the traffic.
#include "model/search/pools.h"
#include "model/search/replica_search.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

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

// Of what either pool's growth gives: what makes a service surer for each GPU more.
Candidate surerForItsGpus(const Candidate& before, Candidate prompts, Candidate decodes)
{
    const auto gain = [&](const Candidate& c) {
        return c.meets ? (c.confidence - before.confidence) / std::max(1, c.gpus() - before.gpus()) : -1;
    };
    return gain(prompts) >= gain(decodes) ? std::move(prompts) : std::move(decodes);
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

// One run; where it misses, larger pools are to be played next.
ReplicaSearch::Step ReplicaSearch::playPools(const Candidate& candidate)
{
    const Scenario& scenario = m_replays.scenario();
    if (scenario.gpuCount && !scenario.replicas && !scenario.prefill.replicas)
        return {dividedPools(candidate, *scenario.gpuCount)};
    const PoolSizes sizes = sizesOf(candidate);
    Known& known = knownOf(candidate);
    if (!known.mostPools)
        known.mostPools = PoolSizes{sizes.prompts * 4 + 4, sizes.decodes * 4 + 4};
    Candidate played = m_replays.whole(m_replays.playedPools(candidate, sizes));
    if (!played.simulated || scenario.gpuCount || (scenario.replicas && scenario.prefill.replicas))
        return {std::move(played)};
    if (played.meets)
        return {known.failedPools ? fewerPools(std::move(played), *known.failedPools) : std::move(played)};
    known.failedPools = sizes;
    std::optional<Candidate> larger = largerPools(played, *known.mostPools);
    if (!larger)
        return {std::move(played)};
    m_going = placeOf(*larger);
    return {*std::move(larger), false};
}

// As many as the closed form takes where times are so much longer, twice as many at most; else an eighth more
// of the pool that the missed target hangs on, and of the other, where its prompts become too many for it.
std::optional<Candidate> ReplicaSearch::largerPools(const Candidate& missed, const PoolSizes& most) const
{
    const Scenario& scenario = m_replays.scenario();
    const PoolSizes sizes = sizesOf(missed);
    Layout layout = missed.deployment.layout;
    layout.replicas = 1;
    const PromptUnit unit = unitOf(*missed.prompts);
    const auto judged = [&](const PoolSizes& some) {
        return judgePools(missed.machine, layout, unit, scenario, false, some);
    };
    const PoolSizes twice{scenario.prefill.replicas ? sizes.prompts
                                                    : std::min(most.prompts, 2 * sizes.prompts),
                          scenario.replicas ? sizes.decodes : std::min(most.decodes, 2 * sizes.decodes)};
    if (const std::optional<ReplayRatio> longer = replayRatioOf(missed)) {
        Scenario harder = scenario;
        harder.targets = shrunk(harder.targets, *longer);
        const auto enough
            = surePools(missed.machine, layout, unit, harder, sizes, twice, m_replays.leastSure());
        if (enough && *enough != sizes)
            if (Candidate c = judged(*enough); c.meets)
                return c;
    }
    const auto grownBy = [&](bool prompts) {
        PoolSizes next = sizes;
        int& grown = prompts ? next.prompts : next.decodes;
        grown += std::max(1, grown / 8);
        Candidate c = judged(next);
        if (c.meets || prompts || scenario.prefill.replicas)
            return c;
        next.prompts += std::max(1, next.prompts / 8);
        return judged(next);
    };
    const bool onlyOne = scenario.replicas || scenario.prefill.replicas;
    Candidate c = grownBy(onlyOne ? scenario.replicas.has_value() : promptsHold(missed, scenario.targets));
    if (!onlyOne && missed.simulated->stable && m_replays.leastSure() > 0)
        c = surerForItsGpus(judged(sizes), grownBy(true), grownBy(false));
    const PoolSizes next = sizesOf(c);
    const bool within = next.prompts <= most.prompts && next.decodes <= most.decodes;
    return c.meets && within ? std::optional(std::move(c)) : std::nullopt;
}

// Between pools that stood and smaller ones that failed.
Candidate ReplicaSearch::fewerPools(Candidate stood, PoolSizes failed)
{
    constexpr int tried = 3;
    for (int run = 0; run < tried && !m_replays.exhausted(); ++run) {
        const PoolSizes sizes = sizesOf(stood);
        const auto between = [](int low, int high) { return high - std::max(0, high - low) / 2; };
        const PoolSizes middle{between(failed.prompts, sizes.prompts),
                               between(failed.decodes, sizes.decodes)};
        if (middle == sizes || middle == failed)
            break;
        Candidate c = m_replays.whole(m_replays.playedPools(stood, middle));
        if (c.meets && c.simulated)
            stood = std::move(c);
        else
            failed = middle;
    }
    return stood;
}

void ReplicaSearch::beginPools(const Candidate& candidate, const PoolSizes& failed)
{
    knownOf(candidate).failedPools = failed;
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
