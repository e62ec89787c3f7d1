#include "model/search/judge.h"
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
    const int own = candidate.deployment.layout.replicas;
    const Known known = knownSoFar(candidate);
    if (mayGrow() && known.closedForm > 0 && (known.settled || own != known.next))
        return std::nullopt; // superseded
    const auto least = m_least.find(candidate.machine.get());
    if (!mayGrow() || known.closedForm > 0 || least == m_least.end())
        return candidate;
    const int first = enough(candidate, least->second, own, mostOf(own)).value_or(mostOf(own));
    if (first == own)
        return candidate;
    Candidate larger = judgeWith(candidate, first, m_replays.scenario());
    if (!larger.meets)
        return candidate;
    return better(larger, best, m_replays.scenario().objective) ? std::optional(std::move(larger))
                                                                : std::nullopt;
}

ReplicaSearch::Known ReplicaSearch::knownSoFar(const Candidate& c) const
{
    Layout layout = c.deployment.layout;
    layout.replicas = 1;
    if (const auto ofMachine = m_known.find(c.machine.get()); ofMachine != m_known.end())
        for (const auto& [known, what] : ofMachine->second)
            if (known == layout)
                return what;
    return {};
}

} // namespace headroom
