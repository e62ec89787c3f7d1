#include "model/search/replays.h"

#include "model/base/apart.h"
#include "model/base/chance_text.h"
#include "model/scenario/service_load.h"
#include "model/search/judge.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace headroom {

namespace {

// The replayed time with the relative interval of its closed form: how well the machine is known does not
// change by playing on it.
Estimate<Seconds> knownAs(const Estimate<Seconds>& closedForm, Seconds replayed)
{
    const double factor = closedForm.value.base() > 0 ? replayed / closedForm.value : 1;
    return {replayed, closedForm.low * factor, closedForm.high * factor, closedForm.source};
}

// A replay knows how long prompts waited, and a wait is less sure than a prompt. Who takes turns keeps
// prompts busy as often as he comes.
void tellWait(Candidate& c)
{
    const SimulatedService& played = *c.simulated;
    if (!c.prompts || !played.stable || c.prompts->free.ttft.value <= Seconds())
        return;
    const PromptPool& pool = *c.prompts;
    const double often = played.takesTurns ? played.closedForm.latency / played.mean.latency : 1;
    c.point.ttft = firstTokenAfter({.ttft = played.mean.ttft,
                                    .wait = played.mean.ttft - pool.free.ttft.value,
                                    .decodes = played.mean.latency - played.mean.ttft,
                                    .busy = pool.busy * often,
                                    .takesTurns = played.takesTurns},
                                   pool.free);
}

// In closed form, with the replicas that it has.
Candidate judgedAnew(const Candidate& c, const Scenario& scenario)
{
    if (!c.prompts)
        return judgeWith(c, c.deployment.layout.replicas, scenario);
    Layout layout = c.deployment.layout;
    layout.replicas = 1;
    return judgePools(c.machine, layout, unitOf(*c.prompts), scenario, false,
                      PoolSizes{c.prompts->deployment.layout.replicas, c.deployment.layout.replicas});
}

// The closed form's no does not count: a replay decides.
void setAsideMisses(Candidate& c)
{
    c.meets = true;
    c.missedBy = 0;
    c.reason = {};
}

} // namespace

Message runsSpent() { return "the runs that one answer may take were spent"; }

Message notReplayed() { return "not replayed: the runs that one answer may take went to others"; }

Replays::Replays(const Scenario& scenario, const std::optional<serve::Workload>& recorded,
                 const RunControl& control, int most, std::shared_ptr<std::int64_t> work,
                 std::shared_ptr<PlayedLoads> known, double leastSure)
    : m_scenario(scenario),
      m_recorded(recorded),
      m_control(control),
      m_most(most),
      m_work(std::move(work)),
      m_known(std::move(known)),
      m_asksMost(!loadOf(scenario).stated()),
      m_leastSure(leastSure)
{
    const ServiceLoad load = loadOf(scenario);
    m_scenario.peakFactor = 1;
    if (load.users > 0)
        m_scenario.concurrency = load.users;
    if (load.requestsPerSecond > 0)
        m_scenario.requestsPerSecond = load.requestsPerSecond;
    if (load.users > 0 && load.requestsPerSecond == 0)
        m_scenario.traffic = "closed";
}

int Replays::left() const
{
    const bool over = m_control.stop.stop_requested() || (m_work && *m_work <= 0);
    return over ? 0 : std::max(0, m_most - m_runs);
}

Candidate Replays::played(const Candidate& candidate, int replicas)
{
    Candidate c = candidate;
    if (replicas != candidate.deployment.layout.replicas) {
        c = judgeWith(candidate, replicas, m_scenario);
        if (!c.meets)
            return c;
    }
    play(c);
    return c;
}

Candidate Replays::playedPools(const Candidate& candidate, const PoolSizes& sizes)
{
    Layout layout = candidate.deployment.layout;
    layout.replicas = 1;
    const PromptUnit unit = unitOf(*candidate.prompts);
    Candidate c = judgePools(candidate.machine, layout, unit, m_scenario, false, sizes);
    play(c);
    return c;
}

Candidate Replays::playedWith(const Candidate& candidate, const ServiceLoad& load)
{
    setLoad(load);
    m_endsKept = false;
    Candidate c = playedAnyway(candidate, candidate.deployment.layout.replicas);
    m_endsKept = true;
    return c;
}

Candidate Replays::playedAsStated(const Candidate& candidate, const ServiceLoad& load)
{
    const bool most = std::exchange(m_asksMost, false);
    Candidate c = playedWith(candidate, load);
    m_asksMost = most;
    return c;
}

Candidate Replays::playedAs(const Candidate& candidate, int replicas, const ServiceLoad& load, double sure)
{
    const double usual = std::exchange(m_leastSure, sure);
    const ServiceLoad before = loadOf(m_scenario);
    setLoad(load);
    Candidate c = playedAnyway(candidate, replicas);
    setLoad(before);
    m_leastSure = usual;
    return c;
}

ServiceLoad Replays::loadWithRoom() const
{
    const ServiceLoad load = loadOf(m_scenario);
    const double more = 1 / (1 - m_scenario.headroom);
    return {.users = std::ceil(load.users * more), .requestsPerSecond = load.requestsPerSecond * more};
}

Candidate Replays::playedWithRoom(const Candidate& candidate, int replicas, double sure)
{
    if (m_scenario.headroom > 0)
        if (Candidate full = playedAs(candidate, replicas, loadWithRoom(), 0); !full.meets)
            return full;
    return playedAs(candidate, replicas, loadOf(m_scenario), sure);
}

void Replays::playAheadWithRoom(const Candidate& candidate)
{
    const ServiceLoad before = loadOf(m_scenario);
    if (m_scenario.headroom > 0)
        setLoad(loadWithRoom());
    playAhead(judgeWith(candidate, candidate.deployment.layout.replicas, m_scenario));
    setLoad(before);
}

Candidate Replays::playedWhole(const Candidate& candidate)
{
    m_endsBroken = false;
    Candidate c = judgedAnew(candidate, m_scenario);
    tell(c, run(c));
    m_endsBroken = true;
    return c;
}

Candidate Replays::whole(const Candidate& stood)
{
    return stood.meets && stood.simulated && stood.simulated->clear ? proven(stood) : stood;
}

Candidate Replays::proven(const Candidate& candidate)
{
    m_proves = true;
    Candidate c = judgedAnew(candidate, m_scenario);
    if (!c.meets)
        setAsideMisses(c);
    playToTheEnd(c);
    m_proves = false;
    return c;
}

void Replays::setLoad(const ServiceLoad& load)
{
    if (load.requestsPerSecond > 0) {
        m_scenario.requestsPerSecond = load.requestsPerSecond;
    } else {
        m_scenario.concurrency = load.users;
        m_scenario.traffic = "closed";
    }
}

Candidate Replays::playedAnyway(const Candidate& candidate, int replicas)
{
    Candidate c = judgeWith(candidate, replicas, m_scenario);
    const ServiceLoad load = loadOf(m_scenario);
    const Candidate closedForm = c;
    // Whether so many users keep the targets the replay says, and the closed form only whether there is room.
    const double working = std::max(1, c.deployment.layout.replicas - m_scenario.spares);
    if (load.requestsPerSecond <= 0 && c.missed != TargetKind::None && c.point.prediction.memory.fits
        && load.users <= engineSlots(c.deployment) * working)
        setAsideMisses(c);
    return play(c) ? c : closedForm;
}

// A run that ends early judges by few requests, which came soon after the start. That the targets are kept
// may be clear then, but not whether the service is as sure as was asked, where it is close to that.
bool Replays::isUnclear(const Candidate& c) const
{
    constexpr double nearly = 0.1;
    constexpr double hardly = 0.05;
    return m_endsKept && m_leastSure > 0 && c.simulated && c.simulated->clear
        && c.confidence > m_leastSure - nearly && c.confidence < m_leastSure + hardly;
}

bool Replays::play(Candidate& c)
{
    const Candidate unplayed = c;
    if (const PlayedLoads::Played* known = m_known ? m_known->find(c, m_scenario) : nullptr;
        known && (m_endsKept || !known->simulated || !known->simulated->clear)) {
        tell(c, *known);
        m_ratios.add(c);
        if (!isUnclear(c))
            return known->simulated.has_value();
        c = unplayed;
        return playToTheEnd(c);
    }
    ++m_runs;
    const std::int64_t left = m_work ? *m_work : 0;
    PlayedLoads::Played played = run(c);
    tell(c, played);
    m_ratios.add(c);
    const bool told = played.simulated || played.cut;
    if (m_known && !played.cut)
        m_known->add(c, m_scenario, std::move(played));
    if (!isUnclear(c))
        return told;
    if (m_work)
        *m_work = left; // it is one run, and costs what all of it does
    c = unplayed;
    return playToTheEnd(c);
}

bool Replays::playToTheEnd(Candidate& c)
{
    const bool before = std::exchange(m_endsKept, false);
    const bool told = play(c);
    m_endsKept = before;
    return told;
}

PlayedLoads::Played Replays::run(const Candidate& c)
{
    ReplayOutcome outcome = outcomeOf(c);
    if (m_known && outcome.underWay)
        m_known->keep(c, m_scenario, std::move(outcome.underWay));
    return charged(std::move(outcome));
}

ReplayOutcome Replays::outcomeOf(const Candidate& c)
{
    const RunEnds ends{.broken = m_endsBroken, .kept = m_endsKept};
    if (m_known && m_endsBroken && !m_endsKept)
        if (const std::shared_ptr<ReplayUnderWay> run = m_known->takeUnderWay(c, m_scenario))
            return playOn(run, mostWorkOf(c));
    if (const auto ahead = findAhead(c, ends); ahead != m_ahead.end() && !m_proves) {
        ReplayOutcome outcome = (*ahead)->outcome();
        m_ahead.erase(ahead);
        return outcome;
    }
    auto made = replayRunOf(c, m_scenario, m_recorded, m_asksMost, ends, m_known.get());
    return made ? playRun(*std::move(made), m_recorded, mostWorkOf(c)) : ReplayOutcome();
}

// A proof is not given up where it is nearly done.
std::optional<std::int64_t> Replays::mostWorkOf(const Candidate& c) const
{
    constexpr std::int64_t workOfAProof = 4'000'000;
    const bool proof = m_proves && !c.prompts;
    return m_work ? std::optional(std::max(*m_work, proof ? workOfAProof : std::int64_t{0})) : std::nullopt;
}

// What was played ahead may have begun when more work was left.
PlayedLoads::Played Replays::charged(ReplayOutcome outcome)
{
    if (!m_work)
        return std::move(outcome.played);
    if (const std::int64_t left = std::max<std::int64_t>(*m_work, 0); !m_proves && outcome.steps > left) {
        outcome.played = {.cut = true};
        outcome.work -= outcome.steps - left; // it would have ended there
    }
    *m_work -= outcome.work;
    return std::move(outcome.played);
}

std::vector<std::unique_ptr<RunAhead>>::iterator Replays::findAhead(const Candidate& c, RunEnds ends)
{
    return std::find_if(m_ahead.begin(), m_ahead.end(),
                        [&](const auto& run) { return run->isOf(c, m_scenario, ends); });
}

void Replays::playAhead(const Candidate& c)
{
    const RunEnds ends{.broken = m_endsBroken, .kept = m_endsKept};
    if (m_recorded || c.prompts || m_proves || left() == 0 || (m_known && m_known->find(c, m_scenario))
        || findAhead(c, ends) != m_ahead.end())
        return;
    constexpr std::size_t most = 2; // the one that is asked for now and the next
    if (m_ahead.size() == most)
        m_ahead.erase(m_ahead.begin());
    // What steps take is remembered for one run at a time.
    if (auto made = replayRunOf(c, m_scenario, m_recorded, m_asksMost, ends, nullptr))
        m_ahead.push_back(std::make_unique<RunAhead>(c, m_scenario, ends, *std::move(made), mostWorkOf(c)));
}

void Replays::tell(Candidate& c, const PlayedLoads::Played& played) const
{
    if (played.cut) {
        c.meets = false;
        c.reason = notReplayed();
    }
    if (!played.simulated)
        return;
    c.simulated = played.simulated;
    tellWait(c);
    OperatingPoint replayed = c.point;
    replayed.ttft = knownAs(c.point.ttft, c.simulated->ttft);
    replayed.tpot = knownAs(c.point.tpot, c.simulated->tpot);
    replayed.linePerToken = {};
    replayed.latency = knownAs(c.point.latency, c.simulated->latency);
    c.confidence = c.simulated->stable ? confidenceOf(replayed, m_scenario.targets) : 0;
    if (m_scenario.targets.any())
        c.missedBy = std::max(c.missedBy, worstExcess(replayed, m_scenario.targets));
    tellReplayed(c.point, *c.simulated);
    if (!c.simulated->stable) {
        c.meets = false;
        c.reason = say("overloaded: {}", played.overloaded);
    } else if (m_scenario.targets.any() && !played.keepsTargets) {
        const auto [met, must] = apart(c.simulated->attainment * 100, c.simulated->percentile);
        c.meets = false;
        c.reason = c.simulated->broken
            ? say("under traffic fewer than {:.4g} % of requests meet the targets", c.simulated->percentile)
            : say("under traffic {} % of requests meet the targets, {} % are asked for", met, must);
    } else if (c.confidence < m_leastSure) {
        c.meets = false;
        c.reason = say("{} sure", asIs(chanceText(c.confidence)));
    }
}

} // namespace headroom
