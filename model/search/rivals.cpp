#include "model/search/rivals.h"

#include "model/search/judge.h"
#include "model/search/ranking.h"
#include "model/search/safe_answer.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

namespace headroom {

namespace {

// Times of a closed form that turned out shorter in a replay: its batches are full, where an engine lets most
// of those wait that its steps have no room for; or a load does not divide evenly. The least seen was 0.43.
constexpr double mayShrink = 2;
constexpr double leastHopeful = 0.3; // sure in closed form, of what is to be safe
constexpr int mostFailures = 64;     // in a row
// Times over what is promised. Of 1,300 rivals of 130 seeded sizes 40 stood, one of them from beyond this; a
// thousand of those that did not were beyond it. That one promised no first token: who waits for it is in no
// batch that is too full.
constexpr double tooFar = 1.5;
constexpr double tooFarUnwaited = 3;

} // namespace

Candidate Rivals::Known::with(int replicas) const
{
    Candidate c;
    c.machine = machine;
    c.deployment = machine->deployment;
    c.deployment.layout = layout;
    c.deployment.layout.replicas = replicas;
    c.curve = curve;
    return c;
}

Rivals::Rivals(const std::vector<Candidate>& candidates, const Replays& replays, const ReplicaSearch& search)
    : m_replays(replays), m_search(search), m_load(loadOf(replays.scenario()))
{
    const Scenario& scenario = replays.scenario();
    const bool waits = scenario.targets.ttft || scenario.targets.latency;
    m_tooFar = waits && replays.leastSure() <= 0 ? tooFar : tooFarUnwaited;
    if (!growsWithGpus(scenario.objective) || scenario.gpuCount || scenario.replicas || !m_load.stated())
        return;
    std::set<const KeptCurve*> seen; // one of each layout
    for (const Candidate& c : candidates)
        if (c.curve && seen.insert(c.curve.get()).second)
            m_layouts.push_back({.machine = c.machine, .layout = c.deployment.layout, .curve = c.curve});
}

std::vector<Rival> Rivals::likeliest(const Candidate& best)
{
    constexpr std::size_t most = 2;
    if (best.prompts || m_failures >= mostFailures)
        return {};
    compare(best);
    const auto order = [this](const Rival& a, const Rival& b) {
        if (a.expected() != b.expected())
            return a.expected();
        return a.expected() ? costsLess(a.candidate, b.candidate) : a.far < b.far;
    };
    std::vector<Rival> out;
    for (const Known& known : m_layouts) {
        if (!known.rival || known.curve == best.curve
            || known.rival->deployment.layout.replicas <= known.fails)
            continue;
        Rival rival{*known.rival, farOf(*known.rival)};
        if (rival.far > m_tooFar)
            continue;
        if (rival.expected())
            rival.candidate = withFewer(known, rival.candidate);
        const auto at = std::upper_bound(out.begin(), out.end(), rival, order);
        out.insert(at, std::move(rival));
        if (out.size() > most)
            out.pop_back();
    }
    return out;
}

// Half of the way to what is expected to stand.
Candidate Rivals::withFewer(const Known& known, const Candidate& rival) const
{
    const int own = rival.deployment.layout.replicas;
    const int least = std::max(m_replays.scenario().spares, known.fails) + 1;
    const std::optional<int> expected = m_search.enough(rival, m_replays.ratios().of(rival), least, own);
    const int between = expected ? own - (own - *expected) / 2 : own;
    return between < own ? judgeWith(rival, between, m_replays.scenario()) : rival;
}

void Rivals::failed(const Candidate& candidate)
{
    ++m_failures;
    for (Known& known : m_layouts)
        if (known.curve == candidate.curve)
            known.fails = std::max(known.fails, candidate.deployment.layout.replicas);
}

void Rivals::compare(const Candidate& best)
{
    if (m_best && sameService(*m_best, best))
        return;
    m_best = best;
    for (Known& known : m_layouts)
        known.rival = rivalOf(known, best);
}

// The most replicas of a layout that still cost less. What they cost does not hang on what they do.
int Rivals::mostThatCostLess(const Known& known, const Candidate& best) const
{
    Candidate c = known.with(known.layout.replicas);
    int& replicas = c.deployment.layout.replicas;
    int low = std::max(m_replays.scenario().spares, known.fails);
    int high = std::max(replicas, best.gpus() / c.deployment.layout.gpusPerReplica() + 1);
    while (high - low > 1) {
        replicas = low + (high - low) / 2;
        (costsLess(c, best) ? low : high) = replicas;
    }
    return low;
}

std::unique_ptr<const Candidate> Rivals::rivalOf(Known& known, const Candidate& best) const
{
    const int replicas = known.hopeless ? 0 : mostThatCostLess(known, best);
    if (replicas <= std::max(m_replays.scenario().spares, known.fails))
        return nullptr;
    Candidate like = known.with(replicas);
    if (!known.compared)
        like.curve = nullptr; // those of many machines take much memory, and few are looked at again
    Candidate c = judgeWith(like, replicas, m_replays.scenario());
    c.curve = known.curve;
    known.compared = true;
    known.hopeless = c.missedBy > m_tooFar * mayShrink; // more so with fewer
    return mayStand(c) ? std::make_unique<const Candidate>(std::move(c)) : nullptr;
}

bool Rivals::mayStand(const Candidate& c) const
{
    const double working = c.deployment.layout.replicas - m_replays.scenario().spares;
    const bool hopeful = m_replays.leastSure() <= 0 || c.confidence >= leastHopeful;
    // Requests at a rate are another matter: a queue that grows in closed form grows in a replay.
    if (m_load.requestsPerSecond > 0)
        return c.meets && hopeful;
    return c.point.prediction.memory.fits && m_load.users <= engineSlots(c.deployment) * working
        && c.missedBy <= m_tooFar * mayShrink && (c.missed != TargetKind::None || c.meets) && hopeful;
}

// Enough less to be worth a run.
bool Rivals::costsLess(const Candidate& c, const Candidate& best) const
{
    const bool alike = c.deployment.gpu == best.deployment.gpu;
    const bool worthIt = !alike || c.gpus() <= best.gpus() - fewerWorthARun(best.gpus());
    return worthIt && c.gpus() != best.gpus() && cheaper(c, best, m_replays.scenario().objective);
}

// How far its times are from what is promised: at most 1, where they keep it.
double Rivals::farOf(const Candidate& c) const
{
    const ReplayRatio longer = m_replays.ratios().of(c);
    UserTimes times = c.point;
    times.ttft = times.ttft * longer.ttft;
    times.tpot = times.tpot * longer.tpot;
    times.latency = times.latency * longer.latency;
    times.tokensPerSecondPerUser = times.tokensPerSecondPerUser * (1 / longer.tpot);
    const Targets& targets = m_replays.scenario().targets;
    const double sure = m_replays.leastSure();
    return sure > 0 ? (1 - confidenceOf(times, targets)) / (1 - sure) : worstExcess(times, targets);
}

} // namespace headroom
