// How few replicas of a layout stand the traffic, once some do.
#include "model/scenario/service_load.h"
#include "model/search/replica_search.h"

#include <algorithm>

namespace headroom {

namespace {

// A run that is less sure than asked by no more than this may miss by chance. For one question, replays with
// 86 to 93 replicas were 90.0 to 90.7 % sure, but one of them, in the middle, 89.8 %.
constexpr double closeMiss = 0.01;
constexpr int triedPastChance = 3; // runs below a close miss

} // namespace

// Whether fewer replicas are played with the share of the load on top that is to be kept free. Runs that must
// be so sure see to that share themselves (`playedWithRoom`).
bool ReplicaSearch::keepsRoom() const
{
    return m_replays.scenario().headroom > 0 && m_replays.leastSure() <= 0;
}

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

// Replays `best` with so many replicas, with the share on top that is to be kept free, and notes whether they
// stood. Returns how much longer times were than in closed form.
std::optional<ReplayRatio> ReplicaSearch::playFewer(Candidate& best, int replicas, Bounds& bounds)
{
    const double sure = m_replays.leastSure();
    Candidate tried = keepsRoom() ? m_replays.playedAs(best, replicas, m_replays.loadWithRoom(), 0)
                                  : m_replays.playedWithRoom(best, replicas, sure);
    if (tried.meets)
        bounds.stands = replicas;
    else
        bounds.fails = std::max(bounds.fails, replicas);
    if (!tried.meets && (sure <= 0 || tried.confidence < sure - closeMiss))
        bounds.failsClearly = std::max(bounds.failsClearly, replicas);
    const std::optional<ReplayRatio> stretch = replayRatioOf(tried);
    if (tried.meets && !keepsRoom())
        best = std::move(tried);
    return stretch;
}

// Tries numbers between the most that failed and the fewest that stood, until they are neighbours: first what
// the times of the last run say, and halfway where those do not help.
void ReplicaSearch::narrow(Candidate& best, Bounds& bounds, Aim aim)
{
    const int spares = m_replays.scenario().spares;
    std::optional<ReplayRatio> last = replayRatioOf(best);
    bool halve = false;
    while (bounds.stands - bounds.fails > stepTo(aim, bounds.stands) && !m_replays.exhausted()) {
        const int high = bounds.stands;
        const int low = bounds.fails;
        const int inside = std::max(1, stepTo(aim, high) / 2); // as near to an end as is looked at, no nearer
        const std::optional<int> said
            = last ? enough(best, *last, low + inside, std::max(low + inside, high - inside)) : std::nullopt;
        int next = low + (high - low) / 2;
        if (said && low <= spares) // fuller replicas take longer than the stretch of emptier ones says
            next = *said + (high - *said) / 2;
        else if (said && !halve)
            next = *said;
        last = playFewer(best, std::clamp(next, low + 1, high - 1), bounds);
        halve = !halve && bounds.stands - bounds.fails > (high - low) / 2;
    }
}

// With another number of replicas other requests meet in one of them. So one number may miss closely while
// fewer stand: a few below a close miss are tried, and where one stands the search goes on below it.
void ReplicaSearch::passCloseMisses(Candidate& best, Bounds& bounds, Aim aim)
{
    int next = bounds.fails;
    for (int tried = 0; tried < triedPastChance && !m_replays.exhausted(); ++tried) {
        next -= stepTo(aim, next);
        if (next <= bounds.failsClearly)
            break;
        playFewer(best, next, bounds);
        if (bounds.stands != next)
            continue;
        bounds.fails = bounds.failsClearly;
        narrow(best, bounds, aim);
        next = bounds.fails;
    }
}

// The closed form may ask for too many: fewer are tried until they fail. The fewest that pass with the share
// that is to be kept free are replayed once with the load itself.
void ReplicaSearch::lower(Candidate& best, Aim aim)
{
    const int spares = m_replays.scenario().spares;
    const int own = best.deployment.layout.replicas;
    Known& known = knownOf(best);
    Bounds bounds{.stands = own,
                  .fails = known.failsAnyway < own ? std::max(spares, known.failsAnyway) : spares,
                  .failsClearly = std::max(spares, known.failsClearly)};
    narrow(best, bounds, aim);
    if (aim == Aim::Fewest && m_replays.leastSure() > 0)
        passCloseMisses(best, bounds, aim);
    known.failsAnyway = bounds.fails;
    known.failsClearly = bounds.failsClearly;
    for (int next = bounds.stands; keepsRoom() && next < own && !m_replays.exhausted(); ++next)
        if (Candidate tried
            = m_replays.playedAs(best, next, loadOf(m_replays.scenario()), m_replays.leastSure());
            tried.meets) {
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
