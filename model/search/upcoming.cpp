#include "model/search/ranking.h"
#include "model/search/replica_search.h"

namespace headroom {

std::optional<Candidate> ReplicaSearch::upcoming(const std::vector<Candidate>& candidates,
                                                 const Candidate& best) const
{
    const Objective objective = m_replays.scenario().objective;
    const auto withMost = [&](Candidate c) {
        const int own = c.deployment.layout.replicas;
        const auto goodEnough = [&](const Candidate& more) { return better(more, best, objective); };
        std::optional<Candidate> most;
        if (mayGrow() && growsWithGpus(objective))
            most = mostThat(goodEnough, c, own + 1, mostOf(own));
        return most ? *std::move(most) : std::move(c);
    };
    bool beforeBest = true;
    for (const Candidate& c : candidates) {
        if (&c == &best) {
            beforeBest = false;
        } else if (!beforeBest) {
            if (std::optional<Candidate> next = wouldChallenge(c, best))
                return withMost(*std::move(next));
        } else if (!c.meets || c.simulated || c.prompts) {
            return std::nullopt;
        } else if (std::optional<Candidate> next = wouldGrow(c, best)) {
            return withMost(*std::move(next));
        }
    }
    return std::nullopt;
}

// The candidate as it would be played first; none where that would no longer be better than the best.
std::optional<Candidate> ReplicaSearch::wouldGrow(const Candidate& candidate, const Candidate& best) const
{
    if (superseded(candidate))
        return std::nullopt;
    std::optional<Candidate> larger = asOthers(candidate);
    if (larger && !better(*larger, best, m_replays.scenario().objective))
        return std::nullopt;
    return larger ? std::move(larger) : candidate;
}

} // namespace headroom
