#include "model/search/replica_search.h"

#include "model/scenario/service_load.h"
#include "model/search/judge.h"
#include "model/search/ranking.h"
#include "model/search/safe_confidence.h"

#include <algorithm>
#include <cmath>

namespace headroom {

ReplicaSearch::Step ReplicaSearch::play(const Candidate& candidate)
{
    if (candidate.prompts)
        return playPools(candidate);
    Candidate played = m_replays.played(candidate, candidate.deployment.layout.replicas);
    if (!played.simulated || !mayGrow())
        return {std::move(played)};
    Known& known = knownOf(candidate);
    if (known.closedForm == 0)
        known.closedForm = candidate.deployment.layout.replicas;
    if (!played.meets)
        return afterMiss(std::move(played));
    known.settled = true;
    const int own = candidate.deployment.layout.replicas;
    known.near = known.closedForm < own;
    known.fails = reduced(candidate, mostThatFailed(known, own), played, Aim::Near);
    if (const auto stretch = replayRatioOf(played))
        learn(*candidate.machine, *stretch);
    return {std::move(played)};
}

bool ReplicaSearch::isFewest(const Candidate& stood)
{
    return stood.prompts || !mayGrow() || knownOf(stood).fewest;
}

Candidate ReplicaSearch::fewest(const Candidate& stood)
{
    Known& known = knownOf(stood);
    known.fewest = true;
    const int own = stood.deployment.layout.replicas;
    Candidate best = stood;
    known.fails = reduced(stood, mostThatFailed(known, own), best, Aim::Fewest);
    if (known.fails < known.closedForm) // none that the closed form takes as enough failed
        lower(best, Aim::Fewest);
    return best;
}

// Where its run to the end says no after all, a few more do as a rule.
ReplicaSearch::Step ReplicaSearch::confirmed(const Candidate& stood)
{
    constexpr int tried = 4;
    Candidate whole = m_replays.whole(stood);
    if (whole.meets || whole.prompts || !mayGrow())
        return {std::move(whole)};
    const int own = stood.deployment.layout.replicas;
    const int most = mostOf(knownOf(stood).closedForm);
    for (int more = 1; more <= tried && whole.deployment.layout.replicas < most; ++more) {
        const int replicas = std::min(most, own + more * fewerWorthARun(own));
        const Candidate larger = judgeWith(stood, replicas, m_replays.scenario());
        if (!larger.meets && larger.missed == TargetKind::None) // a budget
            break;
        whole = m_replays.proven(larger);
        if (whole.meets)
            return {std::move(whole)};
    }
    return afterMiss(std::move(whole));
}

// How many are to be played next.
ReplicaSearch::Step ReplicaSearch::afterMiss(Candidate played)
{
    constexpr int mostDoublings = 2; // to be sure, without a number that says how many
    Known& known = knownOf(played);
    known.settled = true;
    const int own = played.deployment.layout.replicas;
    known.fails = own;
    const int most = mostOf(known.closedForm);
    if (own >= most)
        return {std::move(played)};
    const std::optional<ReplayRatio> stretch = replayRatioOf(played);
    std::optional<int> next = stretch ? enough(played, *stretch, own + 1, most) : std::nullopt;
    // How users who do not divide evenly happen to meet is no stretch, nor is how requests do: more may do.
    if (!next && m_replays.leastSure() > 0 && meetByChance(own))
        if (const auto even = enough(played, {}, own + 1, most, AsFullAs::Emptiest))
            next = std::max(*even, std::min(most, own + std::max(1, own / 8 << known.hopes++)));
    // Who is alone in his replica is not served faster by more of them.
    if (!next && stretch && played.point.users <= 1)
        return {std::move(played)};
    // That a stretch leaves nobody sure says little: with fewer users in each replica prompts meet more
    // seldom, and a percentile falls at once by a whole prompt.
    if (!next && stretch && m_replays.leastSure() > 0 && known.doublings++ >= mostDoublings)
        return {std::move(played)};
    // The emptier replicas are, the less longer than its closed form a time is: twice as many say more.
    Candidate larger
        = judgeWith(played, std::min({next.value_or(most), most, 2 * own}), m_replays.scenario());
    while (!larger.meets && larger.deployment.layout.replicas > own + 1) // a budget: fewer may do
        larger = judgeWith(played, larger.deployment.layout.replicas - 1, m_replays.scenario());
    if (!larger.meets)
        return {std::move(played)};
    known.settled = false;
    known.next = larger.deployment.layout.replicas;
    m_going = placeOf(larger);
    return {std::move(larger), false};
}

Candidate ReplicaSearch::settled(const Candidate& candidate)
{
    Step step = play(candidate);
    while (unconfirmed(step.candidate) || (!step.settled && !m_replays.exhausted()))
        step = unconfirmed(step.candidate) ? confirmed(step.candidate) : play(step.candidate);
    if (!step.settled)
        step.candidate.meets = false;
    if (step.candidate.meets && step.candidate.simulated && !isFewest(step.candidate)) {
        step.candidate = fewest(step.candidate);
        while (unconfirmed(step.candidate))
            step = confirmed(step.candidate);
    }
    return std::move(step.candidate);
}

bool ReplicaSearch::superseded(const Candidate& candidate) const
{
    if (candidate.prompts || !mayGrow())
        return false;
    const Known known = knownSoFar(candidate);
    return known.closedForm > 0 && (known.settled || candidate.deployment.layout.replicas != known.next);
}

// Nobody looked at it yet, and runs of others say how many it takes.
bool ReplicaSearch::canBeExpected(const Candidate& candidate) const
{
    return !candidate.prompts && mayGrow() && m_least.count(candidate.machine.get()) > 0
        && knownSoFar(candidate).closedForm == 0;
}

std::optional<Candidate> ReplicaSearch::asOthers(const Candidate& candidate) const
{
    if (!canBeExpected(candidate))
        return std::nullopt;
    const int own = candidate.deployment.layout.replicas;
    const int most = mostOf(own);
    const int next = enough(candidate, m_least.at(candidate.machine.get()), own, most).value_or(most);
    if (next == own)
        return std::nullopt;
    Candidate larger = judgeWith(candidate, next, m_replays.scenario());
    return larger.meets ? std::optional(std::move(larger)) : std::nullopt; // a budget refuses more: as it is
}

std::optional<Candidate> ReplicaSearch::expected(const Candidate& candidate)
{
    std::optional<Candidate> larger = asOthers(candidate);
    if (canBeExpected(candidate)) {
        const int own = candidate.deployment.layout.replicas;
        Known& known = knownOf(candidate);
        known.closedForm = own;
        known.next = larger ? larger->deployment.layout.replicas : own;
    }
    return larger;
}

std::optional<Candidate> ReplicaSearch::challenger(const Candidate& candidate, const Candidate& best)
{
    std::optional<Candidate> most = wouldChallenge(candidate, best);
    if (most)
        knownOf(candidate).next = most->deployment.layout.replicas;
    return most;
}

std::optional<Candidate> ReplicaSearch::wouldChallenge(const Candidate& candidate,
                                                       const Candidate& best) const
{
    if (candidate.prompts || candidate.simulated || !mayGrow())
        return std::nullopt;
    const Known known = knownSoFar(candidate);
    if (known.closedForm == 0 || known.settled)
        return std::nullopt;
    const auto isBetter = [&](const Candidate& c) { return better(c, best, m_replays.scenario().objective); };
    std::optional<Candidate> most
        = mostThat(isBetter, candidate, std::max(known.fails + 1, known.closedForm), known.next - 1);
    // What is a gamble before any queue does not become sure by one.
    if (!most || (m_replays.leastSure() > 0 && most->confidence < leastConfidence))
        return std::nullopt;
    return most;
}

std::optional<Candidate> ReplicaSearch::mostThat(const std::function<bool(const Candidate&)>& goodEnough,
                                                 const Candidate& candidate, int low, int high) const
{
    std::optional<Candidate> most;
    while (low <= high) {
        const int middle = low + (high - low) / 2;
        Candidate c = judgeWith(candidate, middle, m_replays.scenario());
        if (c.meets && goodEnough(c)) {
            most = std::move(c);
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return most;
}

std::optional<Candidate> ReplicaSearch::mostOfWhatIs(const std::function<bool(const Candidate&)>& goodEnough,
                                                     const Candidate& candidate)
{
    if (candidate.prompts || !mayGrow() || !growsWithGpus(m_replays.scenario().objective))
        return std::nullopt;
    const int own = candidate.deployment.layout.replicas;
    std::optional<Candidate> most = mostThat(goodEnough, candidate, own + 1, mostOf(own));
    if (most)
        knownOf(candidate).next = most->deployment.layout.replicas;
    return most;
}

std::vector<Candidate>::iterator ReplicaSearch::likeliest(std::vector<Candidate>& candidates) const
{
    constexpr std::ptrdiff_t looked = 24;
    // Measured over 946 replays of seeded sizes that met their targets: the middle half of first tokens took
    // 1.0 to 1.5 times the closed form, and later tokens as long as it.
    constexpr ReplayRatio usual = {.ttft = 1.5, .tpot = 1, .latency = 1.1};
    const auto end = candidates.begin() + std::min<std::ptrdiff_t>(looked, std::ssize(candidates));
    auto likeliest = candidates.begin();
    std::optional<Candidate> best;
    for (auto c = candidates.begin(); c != end && c->meets; ++c) {
        if (c->simulated || c->prompts)
            continue;
        const int own = c->deployment.layout.replicas;
        const auto replicas = enough(*c, usual, own, mostOf(own));
        if (!replicas)
            continue;
        Candidate likely = judgeWith(*c, *replicas, m_replays.scenario());
        if (likely.meets && (!best || better(likely, *best, m_replays.scenario().objective))) {
            best = std::move(likely);
            likeliest = c;
        }
    }
    return likeliest;
}

std::vector<Candidate>::iterator ReplicaSearch::goingOn(std::vector<Candidate>& candidates)
{
    return std::find_if(candidates.begin(), candidates.end(), [&](const Candidate& c) {
        return c.meets && !c.simulated && m_going == placeOf(c) && !superseded(c);
    });
}

void ReplicaSearch::begin(const Candidate& candidate, int fewest)
{
    Known& known = knownOf(candidate);
    known.closedForm = fewest;
    known.next = candidate.deployment.layout.replicas;
}

// Of few users in each replica some have one more beside them than others: a quarter more matters.
bool ReplicaSearch::meetByChance(int replicas) const
{
    constexpr double few = 4;
    const double users = loadOf(m_replays.scenario()).users;
    return users <= few * std::max(1, replicas - m_replays.scenario().spares);
}

bool ReplicaSearch::mayGrow() const
{
    return !m_replays.scenario().replicas && !m_replays.scenario().gpuCount;
}

// More replicas than users are of no use to them.
int ReplicaSearch::mostOf(int closedForm) const
{
    constexpr int manyTimes = 16;
    constexpr int timesToBeSure = 8;
    if (m_replays.leastSure() > 0)
        return closedForm * timesToBeSure;
    const double users = loadOf(m_replays.scenario()).users;
    return users > 0 ? std::max(closedForm, static_cast<int>(users) + m_replays.scenario().spares)
                     : closedForm * manyTimes;
}

ReplicaSearch::Place ReplicaSearch::placeOf(const Candidate& c)
{
    const auto of = [](const Resolved* machine, const Layout& l) {
        return OnePlace{machine, l.tp, l.pp, l.ep, l.dp, l.redundantExperts};
    };
    return {of(c.machine.get(), c.deployment.layout),
            c.prompts ? of(c.prompts->machine.get(), c.prompts->deployment.layout) : OnePlace{}};
}

ReplicaSearch::Known& ReplicaSearch::knownOf(const Candidate& c) { return m_known[placeOf(c)]; }

ReplicaSearch::Known ReplicaSearch::knownSoFar(const Candidate& c) const
{
    const auto known = m_known.find(placeOf(c));
    return known != m_known.end() ? known->second : Known();
}

void ReplicaSearch::learn(const Resolved& machine, const ReplayRatio& stretch)
{
    const auto [at, first] = m_least.emplace(&machine, stretch);
    ReplayRatio& least = at->second;
    least = {std::min(least.ttft, stretch.ttft), std::min(least.tpot, stretch.tpot),
             std::min(least.latency, stretch.latency)};
}

bool ReplicaSearch::holds(const Candidate& candidate, int replicas, const Scenario& scenario) const
{
    return holdsWith(candidate, replicas, scenario, m_replays.leastSure());
}

// Fewest replicas whose closed form, stretched so, holds.
std::optional<int> ReplicaSearch::enough(const Candidate& candidate, const ReplayRatio& stretch, int from,
                                         int most, AsFullAs filled) const
{
    Scenario scenario = m_replays.scenario();
    scenario.headroom = 0; // a replay has the load as it is
    scenario.targets = shrunk(scenario.targets, stretch);
    const double users = loadOf(scenario).users;
    const auto holdsWith = [&](int replicas) {
        if (const double working = replicas - scenario.spares;
            filled == AsFullAs::Emptiest && users > 0 && working >= 1)
            scenario.concurrency = std::max(working, std::floor(users / working) * working);
        return holds(candidate, replicas, scenario);
    };
    if (holdsWith(from))
        return from;
    if (most <= from || !holdsWith(most))
        return std::nullopt;
    int low = from;
    int high = most;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        (holdsWith(middle) ? high : low) = middle;
    }
    return high;
}

} // namespace headroom
