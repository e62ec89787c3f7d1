#include "model/search/judge.h"
#include "model/search/ranking.h"
#include "model/search/replica_search.h"

namespace headroom {

std::optional<Candidate>
ReplicaSearch::upcoming(const std::vector<Candidate>& candidates,
                        const std::function<bool(const Candidate&)>& goodEnough) const
{
    if (!mayGrow() || !growsWithGpus(m_replays.scenario().objective))
        return std::nullopt;
    for (const Candidate& c : candidates) {
        if (!c.meets || c.simulated || c.prompts)
            return std::nullopt;
        const int own = c.deployment.layout.replicas;
        const Known known = knownSoFar(c);
        if (known.closedForm > 0 && (known.settled || own != known.next))
            continue; // superseded
        int from = own;
        if (const auto least = m_least.find(c.machine.get()); known.closedForm == 0 && least != m_least.end())
            from = enough(c, least->second, own, mostOf(own)).value_or(mostOf(own));
        const Candidate first = from == own ? c : judgeWith(c, from, m_replays.scenario());
        if (from != own && first.meets && !goodEnough(first))
            continue; // takes its place behind the best
        const Candidate& like = first.meets ? first : c;
        const int its = like.deployment.layout.replicas;
        std::optional<Candidate> most = mostThat(goodEnough, like, its + 1, mostOf(its));
        return most ? std::move(most) : std::optional(like);
    }
    return std::nullopt;
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
