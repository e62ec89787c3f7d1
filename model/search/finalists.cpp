#include "model/search/finalists.h"

#include "model/search/ranking.h"
#include "model/search/replays.h"
#include "model/search/replica_search.h"
#include "model/search/undercut.h"

#include <algorithm>
#include <utility>

namespace headroom {

namespace {

// The last of the runs that an answer may cost go to whoever has the most to spare, when nobody has stood one
// yet.
constexpr int lastChances = 8;
// And one remedy.
constexpr int mostRunsOfOne = 24;

// Where all that is asked is whether something is cheap enough: layouts that were not, before it is given up.
constexpr int mostWanting = 4;

using Place = std::vector<Candidate>::iterator;

bool untested(const Candidate& c) { return c.meets && !c.simulated; }
bool stood(const Candidate& c) { return c.meets && c.simulated; }

// The best that was not played yet; near the end of the runs, with none that stood, the one whose closed form
// is farthest below its targets.
Place nextOf(std::vector<Candidate>& candidates, const Replays& replays)
{
    if (replays.left() > lastChances || std::any_of(candidates.begin(), candidates.end(), stood))
        return candidates.begin();
    return std::min_element(candidates.begin(), candidates.end(), [](const Candidate& a, const Candidate& b) {
        return untested(a) && (!untested(b) || a.missedBy < b.missedBy);
    });
}

// What nobody played does not stand before what stood, nor is it an answer where nothing stood.
void setAsideUntested(std::vector<Candidate>& candidates, const Scenario& scenario)
{
    double farthest = 1;
    for (const Candidate& c : candidates)
        if (c.simulated)
            farthest = std::max(farthest, c.missedBy);
    const auto end = std::find_if(candidates.begin(), candidates.end(), stood);
    for (auto c = candidates.begin(); c != end; ++c) {
        if (!untested(*c))
            continue;
        c->meets = false;
        c->missedBy = farthest; // how far is not known
        c->reason = notReplayed();
    }
    candidates = bestFirst(std::move(candidates), scenario.objective);
}

} // namespace

bool trafficMatters(const Scenario& scenario)
{
    if (scenario.batch)
        return false;
    if (scenario.requestsPerSecond)
        return true;
    return scenario.concurrency && *scenario.concurrency > 1 && scenario.targets.any();
}

Candidate simulated(const Candidate& candidate, const Scenario& scenario, const RunControl& control,
                    std::shared_ptr<std::int64_t> work)
{
    const std::optional<serve::Workload> none;
    Replays replays(scenario, none, control, mostRunsOfOne, std::move(work), std::make_shared<PlayedLoads>());
    return ReplicaSearch(replays).settled(candidate);
}

bool testBest(std::vector<Candidate>& candidates, Replays& replays, ReplicaSearch& settling,
              const std::function<bool(const Candidate&)>& isWorth)
{
    const Objective objective = replays.scenario().objective;
    const bool growing
        = growsWithGpus(objective) && !replays.scenario().gpuCount && !replays.scenario().replicas;
    const auto insert = [&](Candidate c) {
        const auto order
            = [objective](const Candidate& a, const Candidate& b) { return better(a, b, objective); };
        const auto at = std::upper_bound(candidates.begin(), candidates.end(), c, order);
        candidates.insert(at, std::move(c));
    };
    // Puts a layout before the best that stood, where fewer replicas than others took would make it better.
    const auto challenged = [&] {
        if (candidates.empty() || !stood(candidates.front()))
            return false;
        for (std::size_t i = 1; i < candidates.size(); ++i)
            if (std::optional<Candidate> next = settling.challenger(candidates[i], candidates.front())) {
                candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(i));
                insert(*std::move(next));
                return true;
            }
        return false;
    };
    // More replicas never make a candidate better, so the first tested one that stays on top is the best of
    // all.
    const auto worth = [&](const Candidate& c) { return !isWorth || !c.meets || isWorth(c); };
    // Until one stands, the layout that was played last goes on: what others take cannot be more than that.
    const auto next = [&] {
        if (std::any_of(candidates.begin(), candidates.end(), stood))
            return candidates.begin();
        if (const Place going = settling.goingOn(candidates); going != candidates.end() && worth(*going))
            return going;
        return replays.left() > lastChances && growing ? settling.likeliest(candidates)
                                                       : nextOf(candidates, replays);
    };
    const auto taken = [&](Place place) {
        Candidate c = std::move(*place);
        candidates.erase(place);
        return c;
    };
    int wanting = 0; // layouts that were not worth it with as many replicas as they may have
    while (!candidates.empty() && worth(candidates.front()) && wanting < mostWanting) {
        if (stood(candidates.front())) {
            if (!replays.exhausted() && !settling.isFewest(candidates.front()))
                insert(settling.fewest(taken(candidates.begin())));
            else if (ReplicaSearch::unconfirmed(candidates.front()))
                insert(settling.confirmed(taken(candidates.begin())).candidate);
            else if (replays.exhausted() || !challenged())
                break;
            continue;
        }
        if (replays.exhausted() || !untested(candidates.front()))
            break;
        Candidate tried = taken(next());
        if (settling.superseded(tried))
            continue;
        if (std::optional<Candidate> larger = settling.expected(tried)) {
            insert(*std::move(larger));
            continue;
        }
        // What is not good enough with as many as it may have never is: one run says so.
        const Place best = std::find_if(candidates.begin(), candidates.end(), stood);
        const bool bounded = best != candidates.end() || isWorth;
        const auto goodEnough = [&](const Candidate& c) {
            return best != candidates.end() ? better(c, *best, objective) : isWorth(c);
        };
        if (bounded)
            if (std::optional<Candidate> most = settling.mostOfWhatIs(goodEnough, tried))
                tried = *std::move(most);
        if (best != candidates.end()) // most of them do not stand
            if (const auto following = settling.upcoming(candidates, *best))
                replays.playAhead(*following);
        ReplicaSearch::Step step = settling.play(tried);
        if (isWorth && best == candidates.end() && !stood(step.candidate))
            ++wanting;
        const bool played = !step.settled || step.candidate.simulated || replays.exhausted();
        insert(std::move(step.candidate));
        if (!played)
            return true; // the closed form stands
    }
    return candidates.empty() || !untested(candidates.front()) || !worth(candidates.front());
}

bool simulateFinalists(std::vector<Candidate>& candidates, const Scenario& scenario,
                       const std::optional<serve::Workload>& recorded, const SearchOptions& options,
                       const RunControl& control)
{
    if (!trafficMatters(scenario))
        return true;
    Replays replays(scenario, recorded, control, options.mostRuns, options.work, options.played);
    ReplicaSearch settling(replays);
    if (testBest(candidates, replays, settling, options.worth)) {
        // A hint only asks whether this is cheap enough: nothing cheaper is looked for.
        if (!options.worth && !candidates.empty() && stood(candidates.front()))
            if (Candidate best = candidates.front(); undercut(best, candidates, replays))
                candidates.insert(candidates.begin(), std::move(best));
        return true;
    }
    setAsideUntested(candidates, scenario);
    return false;
}

} // namespace headroom
