// How few replicas of a layout stand the traffic, once some do.
#include "model/scenario/service_load.h"
#include "model/search/replica_search.h"

#include <algorithm>

namespace headroom {

// More may have failed by chance than stood then.
int ReplicaSearch::mostThatFailed(const Known& known, int stood)
{
    return known.fails < stood ? std::max(known.fails, known.closedForm - 1) : known.closedForm - 1;
}

int ReplicaSearch::stepTo(Aim aim, int count)
{
    constexpr int near = 8; // within one in so many
    return aim == Aim::Near ? std::max(1, count / near) : fewerWorthARun(count);
}

// Looks for the fewest that stand between `low`, which fails, and `best`, which stands: the stretch of
// the last run says where, and halving bounds how often. Returns the most that failed.
int ReplicaSearch::reduced(const Candidate& candidate, int low, Candidate& best, Aim aim)
{
    std::optional<ReplayRatio> last = replayRatioOf(best);
    int high = best.deployment.layout.replicas;
    bool halve = false;
    const auto step = [aim](int count) { return stepTo(aim, count); };
    while (!m_replays.exhausted() && high - low > step(high)) {
        int next = low + (high - low) / 2;
        if (last && !halve) { // as near to an end as is looked at, no nearer
            const int least = low + std::max(1, step(high) / 2);
            const int most = std::max(least, high - std::max(1, step(high) / 2));
            next = enough(candidate, *last, least, most).value_or(most);
        }
        const int before = high - low;
        Candidate tried = m_replays.played(candidate, next);
        last = replayRatioOf(tried);
        (tried.meets ? high : low) = next;
        halve = !halve && high - low > before / 2;
        if (tried.meets)
            best = std::move(tried);
    }
    return low;
}

// The closed form may ask for too many: fewer are tried, as many as the stretch of the last run says first,
// until they fail, with the share of the load that is to be kept free besides. The fewest that pass with that
// share free are replayed once with the load itself.
void ReplicaSearch::lower(Candidate& best, Aim aim)
{
    const Scenario& scenario = m_replays.scenario();
    const double sure = m_replays.leastSure();
    const bool room = scenario.headroom > 0 && sure <= 0;
    const int own = best.deployment.layout.replicas;
    Known& known = knownOf(best);
    int high = own; // stands
    int low = known.failsAnyway < own ? std::max(scenario.spares, known.failsAnyway) : scenario.spares;
    const auto stands = [&](int replicas) {
        Candidate tried = room ? m_replays.playedAs(best, replicas, m_replays.loadWithRoom(), 0)
                               : m_replays.playedWithRoom(best, replicas, sure);
        (tried.meets ? high : low) = replicas;
        const std::optional<ReplayRatio> stretch = replayRatioOf(tried);
        if (tried.meets && !room)
            best = std::move(tried);
        return stretch;
    };
    std::optional<ReplayRatio> last = replayRatioOf(best);
    for (bool halve = false; high - low > stepTo(aim, high) && !m_replays.exhausted();) {
        const int before = high - low;
        const int inside = std::max(1, stepTo(aim, high) / 2); // as near to an end as is looked at, no nearer
        const std::optional<int> said
            = last ? enough(best, *last, low + inside, std::max(low + inside, high - inside)) : std::nullopt;
        int next = low + before / 2;
        if (said
            && low <= scenario.spares) // fuller replicas take longer than the stretch of emptier ones says
            next = *said + (high - *said) / 2;
        else if (said && !halve)
            next = *said;
        last = stands(std::clamp(next, low + 1, high - 1));
        halve = !halve && high - low > before / 2;
    }
    known.failsAnyway = low;
    for (int next = high; room && next < own && !m_replays.exhausted(); ++next)
        if (Candidate tried = m_replays.playedAs(best, next, loadOf(scenario), sure); tried.meets) {
            best = std::move(tried);
            break;
        }
}

bool ReplicaSearch::isNear(const Candidate& stood)
{
    return stood.prompts || !mayGrow() || knownOf(stood).near;
}

Candidate ReplicaSearch::nearFewest(const Candidate& stood)
{
    knownOf(stood).near = true;
    Candidate best = stood;
    lower(best, Aim::Near);
    return best;
}

Candidate ReplicaSearch::playedAnyway(const Candidate& candidate)
{
    Candidate played
        = m_replays.playedWithRoom(candidate, candidate.deployment.layout.replicas, m_replays.leastSure());
    Known& known = knownOf(candidate);
    const int own = candidate.deployment.layout.replicas;
    if (!played.meets || !played.simulated) {
        known.failsAnyway = std::max(known.failsAnyway, own);
        return played;
    }
    lower(played, Aim::Near);
    known.closedForm = known.next = played.deployment.layout.replicas;
    known.fails = known.closedForm - 1;
    known.settled = known.fewest = false;
    known.near = true;
    return played;
}

std::vector<Candidate>::iterator ReplicaSearch::listedWithFewer(const Candidate& candidate,
                                                                std::vector<Candidate>::iterator first,
                                                                std::vector<Candidate>::iterator end) const
{
    return std::find_if(first, end, [&](const Candidate& c) {
        return c.meets && !c.simulated && !c.prompts && placeOf(c) == placeOf(candidate)
            && c.deployment.layout.replicas <= candidate.deployment.layout.replicas;
    });
}

} // namespace headroom
