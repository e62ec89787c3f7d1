#include "model/plan/finalists.h"

#include "model/plan/judge.h"
#include "model/plan/pools.h"
#include "model/plan/ranking.h"
#include "model/plan/replays.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

namespace headroom {

namespace {

// Runs of the simulator that one answer may cost.
constexpr int mostRuns = 48;
// The last of them go to whoever has the most to spare, when nobody has stood one yet.
constexpr int lastChances = 8;
// And one remedy.
constexpr int mostRunsOfOne = 6;
// And the most that the answer carries.
constexpr int mostRunsOfMost = 12;

// How much longer than its closed form, a mean, a time is at the percentile of a replay.
struct Stretch {
    double ttft = 1;
    double tpot = 1;
    double latency = 1;
};

std::optional<Stretch> stretchOf(const Candidate& c)
{
    if (!c.simulated || !c.simulated->stable)
        return std::nullopt;
    const auto over = [](Seconds replayed, Seconds closedForm) {
        return closedForm.base() > 0 && replayed.base() > 0 ? replayed / closedForm : 1;
    };
    return Stretch{over(c.simulated->ttft, c.point.ttft.value), over(c.simulated->tpot, c.point.tpot.value),
                   over(c.simulated->latency, c.point.latency.value)};
}

// How much longer than their middle times may be.
Stretch upperEnds(const UserTimes& point)
{
    const auto over = [](const Estimate<Seconds>& time) { return time.high / time.value; };
    return {over(point.ttft), over(point.tpot), over(point.latency)};
}

// What the closed form has to reach for a replay to hold.
Targets shrunk(Targets targets, const Stretch& by)
{
    if (targets.ttft)
        *targets.ttft = *targets.ttft / by.ttft;
    if (targets.tpot)
        *targets.tpot = *targets.tpot / by.tpot;
    if (targets.tokensPerSecond)
        *targets.tokensPerSecond *= by.tpot;
    if (targets.latency)
        *targets.latency = *targets.latency / by.latency;
    return targets;
}

// Finds how many replicas of a layout stand the traffic, run by run, and keeps what the runs taught about it
// and about others of its machine.
class Settling {
public:
    explicit Settling(Replays& replays) : m_replays(replays) {}

    struct Step {
        Candidate candidate;
        bool settled = true; // false: so many replicas are to be played next, should nothing else come first
    };
    // One run of the candidate as it is; where it stands, those that make sure that no fewer would.
    Step play(const Candidate& candidate)
    {
        if (candidate.prompts)
            return {settledPools(candidate)};
        const int own = candidate.deployment.layout.replicas;
        Candidate played = m_replays.played(candidate, own);
        if (!played.simulated || !mayGrow())
            return {std::move(played)};
        Known& known = knownOf(candidate);
        if (known.closedForm == 0)
            known.closedForm = own;
        known.settled = true;
        if (played.meets) {
            reduce(candidate, std::max(known.fails, known.closedForm - 1), played);
            if (const auto stretch = stretchOf(played))
                learn(*candidate.machine, *stretch);
            return {std::move(played)};
        }
        known.fails = own;
        const int most = mostOf(known.closedForm);
        if (own >= most)
            return {std::move(played)};
        const std::optional<Stretch> stretch = stretchOf(played);
        const std::optional<int> next = stretch ? enough(candidate, *stretch, own + 1, most) : std::nullopt;
        Candidate larger = judged(candidate, next.value_or(std::min(most, 2 * own)), m_replays.scenario());
        while (!larger.meets && larger.deployment.layout.replicas > own + 1) // a budget: fewer may do
            larger = judged(candidate, larger.deployment.layout.replicas - 1, m_replays.scenario());
        if (!larger.meets)
            return {std::move(played)};
        known.settled = false;
        known.next = larger.deployment.layout.replicas;
        return {std::move(larger), false};
    }

    // The candidate with as many replicas as the percentile takes, as far as the runs go.
    Candidate settled(const Candidate& candidate)
    {
        Step step = play(candidate);
        while (!step.settled && !m_replays.exhausted())
            step = play(step.candidate);
        if (!step.settled)
            step.candidate.meets = false;
        return std::move(step.candidate);
    }

    // Another number of replicas of a layout that is being looked at, or was.
    [[nodiscard]] bool superseded(const Candidate& candidate)
    {
        if (candidate.prompts || !mayGrow())
            return false;
        const Known& known = knownOf(candidate);
        return known.closedForm > 0 && (known.settled || candidate.deployment.layout.replicas != known.next);
    }

    // The candidate with more replicas, where what others of its machine took says that its own are too few.
    // Asked once of a layout.
    std::optional<Candidate> expected(const Candidate& candidate)
    {
        const auto least = m_least.find(candidate.machine.get());
        if (candidate.prompts || !mayGrow() || least == m_least.end())
            return std::nullopt;
        Known& known = knownOf(candidate);
        if (known.closedForm > 0)
            return std::nullopt;
        const int own = candidate.deployment.layout.replicas;
        const int most = mostOf(own);
        known.closedForm = own;
        known.next = enough(candidate, least->second, own, most).value_or(most);
        if (known.next == own)
            return std::nullopt;
        Candidate larger = judged(candidate, known.next, m_replays.scenario());
        if (larger.meets)
            return larger;
        known.next = own; // a budget refuses more: as it is
        return std::nullopt;
    }

private:
    // Of one layout on one machine.
    struct Known {
        int closedForm = 0; // replicas before any run; 0: not looked at yet
        int fails = 0;      // most that failed
        int next = 0;       // to be played
        bool settled = false;
    };

    [[nodiscard]] bool mayGrow() const
    {
        return !m_replays.scenario().replicas && !m_replays.scenario().gpuCount;
    }

    // More replicas than users are of no use to them.
    [[nodiscard]] int mostOf(int closedForm) const
    {
        constexpr int manyTimes = 16;
        const double users = loadOf(m_replays.scenario()).users;
        return users > 0 ? std::max(closedForm, static_cast<int>(users) + m_replays.scenario().spares)
                         : closedForm * manyTimes;
    }

    Known& knownOf(const Candidate& c)
    {
        Layout layout = c.deployment.layout;
        layout.replicas = 1;
        auto& ofMachine = m_known[c.machine.get()];
        const auto found = std::find_if(ofMachine.begin(), ofMachine.end(),
                                        [&](const auto& entry) { return entry.first == layout; });
        return found != ofMachine.end() ? found->second : ofMachine.emplace_back(layout, Known()).second;
    }

    void learn(const Resolved& machine, const Stretch& stretch)
    {
        const auto [at, first] = m_least.emplace(&machine, stretch);
        Stretch& least = at->second;
        least = {std::min(least.ttft, stretch.ttft), std::min(least.tpot, stretch.tpot),
                 std::min(least.latency, stretch.latency)};
    }

    static Candidate judged(const Candidate& candidate, int replicas, Scenario scenario)
    {
        scenario.replicas = replicas;
        Layout layout = candidate.deployment.layout;
        layout.replicas = 1;
        Candidate c = judge(candidate.machine, layout, scenario, false, Depth::Verdict);
        c.deployment.layout.replicas = replicas;
        return c;
    }

    // Fewest replicas whose closed form, stretched so, holds.
    std::optional<int> enough(const Candidate& candidate, const Stretch& stretch, int from, int most) const
    {
        Scenario scenario = m_replays.scenario();
        scenario.headroom = 0; // a replay has the load as it is
        scenario.targets = shrunk(scenario.targets, stretch);
        const auto holds
            = [&](int replicas) { return judged(candidate, replicas, scenario).missed == TargetKind::None; };
        if (holds(from))
            return from;
        if (most <= from || !holds(most))
            return std::nullopt;
        int low = from;
        int high = most;
        while (high - low > 1) {
            const int middle = low + (high - low) / 2;
            (holds(middle) ? high : low) = middle;
        }
        return high;
    }

    // Looks for the fewest that stand between `low`, which fails, and `best`, which stands: the stretch of
    // the last run says where, and halving bounds how often.
    void reduce(const Candidate& candidate, int low, Candidate& best)
    {
        std::optional<Stretch> last = stretchOf(best);
        int high = best.deployment.layout.replicas;
        bool halve = false;
        while (!m_replays.exhausted() && high - low > 1) {
            int next = low + (high - low) / 2;
            if (last && !halve)
                next = enough(candidate, *last, low + 1, high - 1).value_or(high - 1);
            const int before = high - low;
            Candidate tried = m_replays.played(candidate, next);
            last = stretchOf(tried);
            (tried.meets ? high : low) = next;
            halve = !halve && high - low > before / 2;
            if (tried.meets)
                best = std::move(tried);
        }
    }

    // Grows the pool that the missed target hangs on until the percentile holds.
    Candidate settledPools(const Candidate& candidate)
    {
        const Scenario& scenario = m_replays.scenario();
        PoolSizes sizes{candidate.prompts->deployment.layout.replicas, candidate.deployment.layout.replicas};
        const PoolSizes most{sizes.prompts * 4 + 4, sizes.decodes * 4 + 4};
        Candidate best = m_replays.playedPools(candidate, sizes);
        const bool fixed = scenario.gpuCount || (scenario.replicas && scenario.prefill.replicas);
        while (!best.meets && best.simulated && !fixed && !m_replays.exhausted()
               && sizes.prompts < most.prompts && sizes.decodes < most.decodes) {
            const Targets& targets = scenario.targets;
            const bool prompts = !scenario.prefill.replicas
                && (scenario.replicas || (targets.ttft && best.simulated->ttft > *targets.ttft)
                    || (!best.simulated->stable && best.prompts->busy > 0.8));
            int& grown = prompts ? sizes.prompts : sizes.decodes;
            grown += std::max(1, grown / 8);
            best = m_replays.playedPools(candidate, sizes);
        }
        return best;
    }

    Replays& m_replays;
    std::map<const Resolved*, std::vector<std::pair<Layout, Known>>> m_known;
    std::map<const Resolved*, Stretch> m_least; // of the layouts that stood
};

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
        c->reason = "not replayed: the runs that one answer may take went to others";
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

Candidate simulated(const Candidate& candidate, const Scenario& scenario, const RunControl& control)
{
    const std::optional<serve::Workload> none;
    Replays replays(scenario, none, control, mostRunsOfOne);
    return Settling(replays).settled(candidate);
}

std::optional<ProvenLoad> mostThatStands(const Candidate& candidate, const Scenario& asked,
                                         const RunControl& control, bool sure)
{
    constexpr double exact = 0.02;
    if (candidate.prompts)
        return std::nullopt;
    const ServiceLoad stated = loadOf(asked);
    const bool open = stated.requestsPerSecond > 0;
    const ReplicaCurve curve(candidate.deployment, candidate.machine->load);
    const double working = std::max(1, candidate.deployment.layout.replicas - asked.spares);
    // What the closed form says that the service carries, its times stretched so.
    Scenario scenario = asked;
    if (sure)
        scenario.targets
            = shrunk(asked.targets, upperEnds(curve.timesAt(std::max(1.0, candidate.point.users))));
    const auto carries = [&](const Stretch& stretch) {
        const double users = curve.capacity(shrunk(scenario.targets, stretch)).users;
        return users <= 0 ? 0 : open ? curve.rateAt(users) * working : std::floor(users * working);
    };
    const auto loadOfSize = [open](double size) {
        return open ? ServiceLoad{.requestsPerSecond = size} : ServiceLoad{.users = size};
    };
    const std::optional<serve::Workload> none;
    Replays replays(scenario, none, control, mostRunsOfMost);
    ProvenLoad most;
    double low = 0;
    if (candidate.simulated && stated.stated()) { // so much stood its own
        low = open ? stated.requestsPerSecond : stated.users;
        most = {stated, candidate.confidence, {}};
    }
    double next = std::max(low, carries({}));
    double high = 0; // fails; 0: nothing was seen to
    bool halve = false;
    while (next > low && !replays.exhausted()) {
        const Candidate played = replays.playedWith(candidate, loadOfSize(next));
        if (!played.simulated)
            return std::nullopt;
        const double before = high - low;
        if (played.meets) {
            low = next;
            most = {loadOfSize(next), played.confidence, {}};
        } else {
            high = next;
            if (low == 0)
                most.reason = played.reason;
        }
        if (high == 0 || high - low <= std::max(open ? 0.0 : 1.0, exact * high))
            break;
        const std::optional<Stretch> stretch = stretchOf(played);
        const double said = stretch ? carries(*stretch) : 0;
        const double middle = (low + high) / 2;
        next = halve || said <= low || said >= high ? middle : said;
        if (!open)
            next = std::clamp(std::floor(next), low + 1, high - 1);
        halve = !halve && before > 0 && high - low > before / 2;
    }
    return most;
}

bool simulateFinalists(std::vector<Candidate>& candidates, const Scenario& scenario,
                       const std::optional<serve::Workload>& recorded, const RunControl& control)
{
    if (!trafficMatters(scenario))
        return true;
    Replays replays(scenario, recorded, control, mostRuns);
    Settling settling(replays);
    const auto insert = [&](Candidate c) {
        const auto order
            = [&](const Candidate& a, const Candidate& b) { return better(a, b, scenario.objective); };
        const auto at = std::upper_bound(candidates.begin(), candidates.end(), c, order);
        candidates.insert(at, std::move(c));
    };
    // More replicas never make a candidate better, so the first tested one that stays on top is the best of
    // all.
    while (!candidates.empty() && untested(candidates.front()) && !replays.exhausted()) {
        const Place place = nextOf(candidates, replays);
        Candidate next = std::move(*place);
        candidates.erase(place);
        if (settling.superseded(next))
            continue;
        if (std::optional<Candidate> larger = settling.expected(next)) {
            insert(*std::move(larger));
            continue;
        }
        Settling::Step step = settling.play(next);
        const bool played = !step.settled || step.candidate.simulated;
        insert(std::move(step.candidate));
        if (!played)
            return true; // the simulator has no such engine or traffic: the closed form stands
    }
    if (candidates.empty() || !untested(candidates.front()))
        return true;
    setAsideUntested(candidates, scenario);
    return false;
}

} // namespace headroom
