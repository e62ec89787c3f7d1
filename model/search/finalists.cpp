#include "model/search/finalists.h"

#include "model/scenario/stated_load.h"
#include "model/search/ranking.h"
#include "model/search/replays.h"
#include "model/search/replica_search.h"
#include "model/search/rivals.h"

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

// Plays candidates from the best on until one that stood is the best of all.
class Finals {
public:
    Finals(std::vector<Candidate>& candidates, Replays& replays, ReplicaSearch& settling, Rivals* rivals,
           const std::function<bool(const Candidate&)>& isWorth)
        : m_candidates(candidates),
          m_replays(replays),
          m_settling(settling),
          m_rivals(rivals),
          m_isWorth(isWorth)
    {}

    // Whether the best is known, played or by the closed form.
    bool play()
    {
        while (!m_candidates.empty() && worth(m_candidates.front()) && m_wanting < mostWanting) {
            if (m_rivals != nullptr && !m_replays.exhausted() && tryRival())
                continue;
            if (stood(m_candidates.front())) {
                if (!confirmFirst())
                    break;
                continue;
            }
            if (m_replays.exhausted() || !untested(m_candidates.front()))
                break;
            if (!tryOne())
                return true; // the closed form stands
        }
        return m_candidates.empty() || !untested(m_candidates.front()) || !worth(m_candidates.front());
    }

private:
    // More replicas never make a candidate better, so the first tested one that stays on top is the best of
    // all.
    [[nodiscard]] bool worth(const Candidate& c) const { return !m_isWorth || !c.meets || m_isWorth(c); }

    [[nodiscard]] Place bestThatStood()
    {
        return std::find_if(m_candidates.begin(), m_candidates.end(), stood);
    }

    void insert(Candidate c)
    {
        const auto order = [this](const Candidate& a, const Candidate& b) {
            return better(a, b, m_replays.scenario().objective);
        };
        const auto at = std::upper_bound(m_candidates.begin(), m_candidates.end(), c, order);
        m_candidates.insert(at, std::move(c));
    }
    Candidate taken(Place place)
    {
        Candidate c = std::move(*place);
        m_candidates.erase(place);
        return c;
    }

    // Until one stands, the layout that was played last goes on: what others take cannot be more than that.
    Place next()
    {
        if (bestThatStood() != m_candidates.end())
            return m_candidates.begin();
        if (const Place going = m_settling.goingOn(m_candidates);
            going != m_candidates.end() && worth(*going))
            return going;
        const Scenario& scenario = m_replays.scenario();
        const bool growing = growsWithGpus(scenario.objective) && !scenario.gpuCount && !scenario.replicas;
        return m_replays.left() > lastChances && growing ? m_settling.likeliest(m_candidates)
                                                         : nextOf(m_candidates, m_replays);
    }

    // Of the first, which stood: with as few replicas as stand, and to the end of its run. False: it is done.
    bool confirmFirst()
    {
        if (!m_replays.exhausted() && !m_settling.isFewest(m_candidates.front()))
            insert(m_settling.fewest(taken(m_candidates.begin())));
        else if (ReplicaSearch::unconfirmed(m_candidates.front()))
            insert(m_settling.confirmed(taken(m_candidates.begin())).candidate);
        else
            return !m_replays.exhausted() && challenged();
        return true;
    }
    // Puts a layout before the best that stood, where fewer replicas than others took would make it better.
    bool challenged()
    {
        for (std::size_t i = 1; i < m_candidates.size(); ++i)
            if (std::optional<Candidate> next
                = m_settling.challenger(m_candidates[i], m_candidates.front())) {
                m_candidates.erase(m_candidates.begin() + static_cast<std::ptrdiff_t>(i));
                insert(*std::move(next));
                return true;
            }
        return false;
    }

    // One run of what would cost less than the best that stood and is likeliest to stand as well. False:
    // there is no such layout.
    bool tryRival()
    {
        const Place best = bestThatStood();
        if (best == m_candidates.end())
            return false;
        if (!m_settling.isNear(*best)) {
            insert(m_settling.nearFewest(taken(best)));
            return true;
        }
        const std::vector<Rival> rivals = m_rivals->likeliest(*best);
        // How few of the best do is known before what is not expected to stand is tried all the same.
        if ((rivals.empty() || !rivals.front().expected()) && !m_settling.isFewest(*best)) {
            insert(m_settling.fewest(taken(best)));
            return true;
        }
        if (rivals.empty())
            return false;
        const auto listedAs
            = [&](const Candidate& c) { return m_settling.listedWithFewer(c, m_candidates.begin(), best); };
        if (rivals.size() > 1) { // most of them do not stand
            const Candidate& following = rivals[1].candidate;
            listedAs(following) != best ? m_replays.playAhead(following)
                                        : m_replays.playAheadWithRoom(following);
        }
        const Candidate& rival = rivals.front().candidate;
        const Place listed = listedAs(rival);
        ReplicaSearch::Step step;
        if (listed != best) {
            m_settling.begin(rival, taken(listed).deployment.layout.replicas);
            step = m_settling.play(rival);
        } else {
            step.candidate = m_settling.playedAnyway(rival);
        }
        if (stood(step.candidate))
            m_rivals->stood();
        else
            m_rivals->failed(rival);
        if (listed != best || stood(step.candidate))
            insert(std::move(step.candidate));
        return true;
    }

    // False: the closed form was all that there was to play.
    bool tryOne()
    {
        Candidate tried = taken(next());
        if (m_settling.superseded(tried))
            return true;
        if (std::optional<Candidate> larger = m_settling.expected(tried)) {
            insert(*std::move(larger));
            return true;
        }
        // What is not good enough with as many as it may have never is: one run says so.
        const Place best = bestThatStood();
        const bool oneStood = best != m_candidates.end();
        const auto goodEnough = [&](const Candidate& c) {
            return oneStood ? better(c, *best, m_replays.scenario().objective) : m_isWorth(c);
        };
        if (oneStood || m_isWorth)
            if (std::optional<Candidate> most = m_settling.mostOfWhatIs(goodEnough, tried))
                tried = *std::move(most);
        if (oneStood) // most of them do not stand
            if (const auto following = m_settling.upcoming(m_candidates, *best))
                m_replays.playAhead(*following);
        ReplicaSearch::Step step = m_settling.play(tried);
        if (m_isWorth && !oneStood && !stood(step.candidate))
            ++m_wanting;
        const bool played = !step.settled || step.candidate.simulated || m_replays.exhausted();
        insert(std::move(step.candidate));
        return played;
    }

    std::vector<Candidate>& m_candidates;
    Replays& m_replays;
    ReplicaSearch& m_settling;
    Rivals* m_rivals; // none: they are not looked at
    const std::function<bool(const Candidate&)>& m_isWorth;
    int m_wanting = 0; // layouts that were not worth it with as many replicas as they may have
};

} // namespace

bool trafficMatters(const Scenario& scenario)
{
    if (scenario.batch || worksOffJob(scenario))
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

bool testBest(std::vector<Candidate>& candidates, Replays& replays, ReplicaSearch& settling, Rivals* rivals,
              const std::function<bool(const Candidate&)>& isWorth)
{
    return Finals(candidates, replays, settling, rivals, isWorth).play();
}

bool simulateFinalists(std::vector<Candidate>& candidates, const Scenario& scenario,
                       const std::optional<serve::Workload>& recorded, const SearchOptions& options,
                       const RunControl& control)
{
    if (!trafficMatters(scenario))
        return true;
    Replays replays(scenario, recorded, control, options.mostRuns, options.work, options.played);
    ReplicaSearch settling(replays);
    // A hint only asks whether this is cheap enough: nothing cheaper is looked for.
    std::optional<Rivals> rivals;
    if (!options.worth)
        rivals.emplace(candidates, replays, settling);
    if (testBest(candidates, replays, settling, rivals ? &*rivals : nullptr, options.worth))
        return true;
    setAsideUntested(candidates, scenario);
    return false;
}

} // namespace headroom
