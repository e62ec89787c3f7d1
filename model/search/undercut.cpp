#include "model/search/undercut.h"

#include "model/scenario/service_load.h"
#include "model/search/judge.h"
#include "model/search/ranking.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace headroom {

namespace {

// Times of a closed form that turned out shorter in a replay: its batches are full, where an engine lets most
// of those wait that its steps have no room for; or a load does not divide evenly.
constexpr double mayShrink = 8;
constexpr double leastHopeful = 0.3; // sure in closed form, of what is to be safe
constexpr int mostFailures = 64;     // in a row

// A layout with the most replicas that would still cost less.
struct Try {
    Candidate candidate;
    double far = 0; // how far the closed form is from the targets
};

class Undercut {
public:
    explicit Undercut(Replays& replays)
        : m_replays(replays), m_scenario(replays.scenario()), m_load(loadOf(m_scenario))
    {}

    // Those worth a replay, the most likely first.
    [[nodiscard]] std::vector<Try> tries(const Candidate& best,
                                         const std::vector<Candidate>& candidates) const
    {
        std::vector<Try> out;
        std::vector<std::pair<const Resolved*, Layout>> seen;
        for (const Candidate& like : candidates) {
            Layout layout = like.deployment.layout;
            layout.replicas = 1;
            const std::pair key(like.machine.get(), layout);
            if (like.prompts || std::find(seen.begin(), seen.end(), key) != seen.end())
                continue;
            seen.push_back(key);
            if (std::optional<Try> one = tryOf(like, best))
                out.push_back(*std::move(one));
        }
        std::stable_sort(out.begin(), out.end(), [](const Try& a, const Try& b) { return a.far < b.far; });
        return out;
    }

    // Its replay; empty where it misses the targets.
    [[nodiscard]] std::optional<Candidate> standing(const Candidate& c) const
    {
        Candidate played = m_replays.playedWithRoom(c, c.deployment.layout.replicas, m_replays.leastSure());
        return played.meets && played.simulated ? std::optional(std::move(played)) : std::nullopt;
    }

private:
    [[nodiscard]] std::optional<Try> tryOf(const Candidate& like, const Candidate& best) const
    {
        const Layout& its = like.deployment.layout;
        int low = m_scenario.spares; // always cheaper: no replica works
        int high = std::max(its.replicas, best.gpus() / its.gpusPerReplica() + 1);
        std::optional<Candidate> most;
        while (high - low > 1) {
            const int middle = low + (high - low) / 2;
            Candidate c = judgeWith(like, middle, m_scenario);
            if (costsLess(c, best)) {
                low = middle;
                most = std::move(c);
            } else {
                high = middle;
            }
        }
        if (!most || !mayStand(*most))
            return std::nullopt;
        const double far = m_replays.leastSure() > 0 ? 1 - most->confidence : most->missedBy;
        return Try{*std::move(most), far};
    }

    [[nodiscard]] bool mayStand(const Candidate& c) const
    {
        const double working = c.deployment.layout.replicas - m_scenario.spares;
        return c.point.prediction.memory.fits && m_load.users <= engineSlots(c.deployment) * working
            && c.missedBy <= mayShrink && (c.missed != TargetKind::None || c.meets)
            && (m_replays.leastSure() <= 0 || c.confidence >= leastHopeful);
    }

    // By cost alone: speed and confidence are taken as equal.
    [[nodiscard]] bool costsLess(Candidate c, const Candidate& best) const
    {
        c.meets = true;
        c.confidence = best.confidence;
        c.deviations = best.deviations;
        c.point.tokensPerSecondPerUser = best.point.tokensPerSecondPerUser;
        const bool alike = c.deployment.gpu == best.deployment.gpu;
        const bool worthIt = !alike || c.gpus() <= best.gpus() - fewerWorthARun(best.gpus());
        return worthIt && c.gpus() != best.gpus() && better(c, best, m_scenario.objective);
    }

    Replays& m_replays;
    const Scenario& m_scenario;
    ServiceLoad m_load;
};

} // namespace

bool undercut(Candidate& best, const std::vector<Candidate>& candidates, Replays& replays)
{
    const Scenario& scenario = replays.scenario();
    // Requests at a rate are another matter: a queue that grows in closed form grows in a replay.
    if (best.prompts || !growsWithGpus(scenario.objective) || scenario.gpuCount || scenario.replicas
        || loadOf(scenario).requestsPerSecond > 0 || loadOf(scenario).users <= 0)
        return false;
    const Undercut search(replays);
    std::vector<Try> tries = search.tries(best, candidates);
    std::vector<Candidate> found; // each costs less than the one before
    int failures = 0;
    for (std::size_t next = 0; next < tries.size() && failures < mostFailures && !replays.exhausted();) {
        if (next + 1 < tries.size()) // most do not stand
            replays.playAheadWithRoom(tries[next + 1].candidate);
        std::optional<Candidate> stood = search.standing(tries[next].candidate);
        if (!stood) {
            ++failures;
            ++next;
            continue;
        }
        found.push_back(*std::move(stood));
        std::vector<Candidate> left; // what is too far from it with more replicas is so with fewer
        for (std::size_t i = next; i < tries.size(); ++i)
            left.push_back(std::move(tries[i].candidate));
        tries = search.tries(found.back(), left);
        next = 0;
        failures = 0;
    }
    for (; !found.empty(); found.pop_back()) // those runs ended where it was clear
        if (Candidate whole = replays.whole(found.back()); whole.meets) {
            best = std::move(whole);
            return true;
        }
    return false;
}

} // namespace headroom
