#include "model/search/replays.h"

#include "model/scenario/service_load.h"
#include "model/search/answer_traffic.h"
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

// Many replicas are alike: some of them with their part of the load say what all would, in less time.
// How large a part of the whole.
double takePart(Layout& layout, Scenario& scenario, const UserTimes& point)
{
    constexpr int fewAlone = 24; // replicas with one user each, who never meets another
    const double enough
        = layout.pp > 1 ? 120 : 300; // users at once: lanes go step by step, at ten times the cost
    const double users = std::max(1.0, point.users);
    const bool alone = users <= 1 && scenario.traffic == "closed";
    const int part = alone ? fewAlone : std::max(1, static_cast<int>(std::ceil(enough / users)));
    if (part >= layout.replicas)
        return 1;
    const double share = double(part) / layout.replicas;
    layout.replicas = part;
    if (scenario.concurrency)
        scenario.concurrency = std::max(1.0, std::ceil(*scenario.concurrency * share));
    if (scenario.requestsPerSecond)
        *scenario.requestsPerSecond *= share;
    return share;
}

} // namespace

Replays::Replays(const Scenario& scenario, const std::optional<serve::Workload>& recorded,
                 const RunControl& control, int most, std::shared_ptr<std::int64_t> steps)
    : m_scenario(scenario), m_recorded(recorded), m_control(control), m_most(most), m_steps(std::move(steps))
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
    const bool over = m_control.stop.stop_requested() || (m_steps && *m_steps <= 0);
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
    ++m_runs;
    play(c);
    return c;
}

Candidate Replays::playedPools(const Candidate& candidate, const PoolSizes& sizes)
{
    ++m_runs;
    Layout layout = candidate.deployment.layout;
    layout.replicas = 1;
    const PromptUnit unit = unitOf(*candidate.prompts);
    Candidate c = judgePools(candidate.machine, layout, unit, m_scenario, false, sizes);
    play(c);
    return c;
}

Candidate Replays::playedWith(const Candidate& candidate, const ServiceLoad& load)
{
    if (load.requestsPerSecond > 0) {
        m_scenario.requestsPerSecond = load.requestsPerSecond;
    } else {
        m_scenario.concurrency = load.users;
        m_scenario.traffic = "closed";
    }
    ++m_runs;
    Candidate c = judgeWith(candidate, candidate.deployment.layout.replicas, m_scenario);
    const Candidate closedForm = c;
    // Whether so many users keep the targets the replay says, and the closed form only whether there is room.
    const double working = std::max(1, c.deployment.layout.replicas - m_scenario.spares);
    if (load.requestsPerSecond <= 0 && c.missed != TargetKind::None && c.point.prediction.memory.fits
        && load.users <= engineSlots(c.deployment) * working) {
        c.meets = true;
        c.missedBy = 0;
        c.reason = {};
    }
    play(c);
    return c.simulated ? c : closedForm;
}

// Targets hold with the spares out of service.
void Replays::play(Candidate& c) const
{
    Candidate working = c;
    const auto withoutSpares
        = [this](Layout& layout) { layout.replicas = std::max(1, layout.replicas - m_scenario.spares); };
    withoutSpares(working.deployment.layout);
    if (working.prompts)
        withoutSpares(working.prompts->deployment.layout);
    Scenario scenario = m_scenario;
    double share = 1;
    if (!working.prompts && !m_recorded)
        share = takePart(working.deployment.layout, scenario, c.point);
    scenario.replicas = working.deployment.layout.replicas;
    const auto plan = trafficOn(working, scenario);
    if (!plan)
        return;
    if (const auto run
        = m_recorded ? serve::makeServingRun(*plan, *m_recorded) : serve::makeServingRun(*plan))
        record(c, *run, share);
}

void Replays::record(Candidate& c, const serve::ServingRun& run, double share) const
{
    if (m_steps)
        *m_steps -= run.measures.steps;
    const double percentile = m_scenario.targets.percentile;
    c.simulated = SimulatedService{
        .percentile = percentile,
        .ttft = run.measures.ttft.judged,
        .tpot = run.measures.tpot.judged,
        .latency = run.measures.latency.judged,
        .attainment = run.measures.attainment,
        .stable = run.verdict.stable,
        .mean = {run.measures.ttft.mean, run.measures.tpot.mean, run.measures.latency.mean},
        .closedForm = {c.point.ttft.value, c.point.tpot.value, c.point.latency.value},
        .requestsPerSecond = run.measures.requestRate.base() / share,
        .takesTurns = run.workload.users > 0};
    OperatingPoint replayed = c.point;
    replayed.ttft = knownAs(c.point.ttft, c.simulated->ttft);
    replayed.tpot = knownAs(c.point.tpot, c.simulated->tpot);
    replayed.latency = knownAs(c.point.latency, c.simulated->latency);
    c.confidence = run.verdict.stable ? confidenceOf(replayed, m_scenario.targets) : 0;
    if (m_scenario.targets.any())
        c.missedBy = std::max(c.missedBy, worstExcess(replayed, m_scenario.targets));
    tellReplayed(c.point, *c.simulated);
    if (!run.verdict.stable) {
        c.meets = false;
        c.reason = say("overloaded: {}", run.verdict.reason);
    } else if (m_scenario.targets.any() && !run.answersYes()) {
        c.meets = false;
        c.reason = say("under traffic {:.1f} % of requests meet the targets, {:.4g} % are asked",
                       run.measures.attainment * 100, percentile);
    }
}

} // namespace headroom
