#include "model/plan/finalists.h"

#include "model/plan/answer_traffic.h"
#include "model/plan/judge.h"
#include "model/plan/pools.h"
#include "model/plan/ranking.h"
#include "model/serve/serving_run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

// Runs of the simulator that one answer may cost.
constexpr int mostRuns = 24;
// And one remedy.
constexpr int mostRunsOfOne = 6;

// The replayed time with the relative interval of its closed form: how well the machine is known does not
// change by playing on it.
Estimate<Seconds> knownAs(const Estimate<Seconds>& closedForm, Seconds replayed)
{
    const double factor = closedForm.value.base() > 0 ? replayed / closedForm.value : 1;
    return {replayed, closedForm.low * factor, closedForm.high * factor, closedForm.source};
}

class Finals {
public:
    Finals(const Scenario& scenario, const std::optional<serve::Workload>& recorded,
           const RunControl& control, int mostRunsHere = mostRuns)
        : m_scenario(scenario), m_recorded(recorded), m_control(control), m_most(mostRunsHere)
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

    [[nodiscard]] bool exhausted() const { return m_runs >= m_most || m_control.stop.stop_requested(); }

    // The candidate with as many replicas as the percentile takes.
    Candidate settled(const Candidate& candidate)
    {
        if (candidate.prompts)
            return settledPools(candidate);
        Candidate best = played(candidate, candidate.deployment.layout.replicas);
        if (best.meets || m_scenario.replicas || m_scenario.gpuCount)
            return best;
        const int first = candidate.deployment.layout.replicas;
        int low = first;
        int step = std::max(1, first / 8);
        while (!best.meets && !exhausted() && low < first * 4 + 4) {
            low = best.deployment.layout.replicas;
            best = played(candidate, low + step);
            step *= 2;
        }
        int high = best.deployment.layout.replicas;
        while (best.meets && high - low > 1 && !exhausted()) {
            const int middle = (low + high) / 2;
            Candidate tried = played(candidate, middle);
            (tried.meets ? high : low) = middle;
            if (tried.meets)
                best = std::move(tried);
        }
        return best;
    }

    // Whether the percentile of the targets holds with so many users.
    std::optional<bool> standsWith(const Candidate& candidate, double users)
    {
        m_scenario.concurrency = users;
        m_scenario.traffic = "closed";
        Scenario fixed = m_scenario;
        fixed.replicas = candidate.deployment.layout.replicas;
        Layout layout = candidate.deployment.layout;
        layout.replicas = 1;
        ++m_runs;
        Candidate c = judge(candidate.machine, layout, fixed, false, Depth::Verdict);
        c.deployment.layout.replicas = candidate.deployment.layout.replicas;
        play(c);
        return c.simulated ? std::optional(c.meets) : std::nullopt;
    }

private:
    // Grows the pool that the missed target hangs on until the percentile holds.
    Candidate settledPools(const Candidate& candidate)
    {
        PoolSizes sizes{candidate.prompts->deployment.layout.replicas, candidate.deployment.layout.replicas};
        const PoolSizes most{sizes.prompts * 4 + 4, sizes.decodes * 4 + 4};
        Candidate best = playedPools(candidate, sizes);
        const bool fixed = m_scenario.gpuCount || (m_scenario.replicas && m_scenario.prefill.replicas);
        while (!best.meets && best.simulated && !fixed && !exhausted() && sizes.prompts < most.prompts
               && sizes.decodes < most.decodes) {
            const Targets& targets = m_scenario.targets;
            const bool prompts = !m_scenario.prefill.replicas
                && (m_scenario.replicas || (targets.ttft && best.simulated->ttft > *targets.ttft)
                    || (!best.simulated->stable && best.prompts->busy > 0.8));
            int& grown = prompts ? sizes.prompts : sizes.decodes;
            grown += std::max(1, grown / 8);
            best = playedPools(candidate, sizes);
        }
        return best;
    }

    Candidate playedPools(const Candidate& candidate, const PoolSizes& sizes)
    {
        ++m_runs;
        Layout layout = candidate.deployment.layout;
        layout.replicas = 1;
        const PromptUnit unit = unitOf(*candidate.prompts);
        Candidate c = judgePools(candidate.machine, layout, unit, m_scenario, false, sizes);
        play(c);
        return c;
    }

    Candidate played(const Candidate& candidate, int replicas)
    {
        ++m_runs;
        Candidate c = candidate;
        if (replicas != candidate.deployment.layout.replicas) {
            Scenario fixed = m_scenario;
            fixed.replicas = replicas;
            Layout layout = candidate.deployment.layout;
            layout.replicas = 1;
            c = judge(candidate.machine, layout, fixed, false, Depth::Verdict);
        }
        c.deployment.layout.replicas = replicas;
        play(c);
        return c;
    }

    // Targets hold with the spares out of service.
    void play(Candidate& c) const
    {
        Candidate working = c;
        const auto withoutSpares
            = [this](Layout& layout) { layout.replicas = std::max(1, layout.replicas - m_scenario.spares); };
        withoutSpares(working.deployment.layout);
        if (working.prompts)
            withoutSpares(working.prompts->deployment.layout);
        Scenario scenario = m_scenario;
        if (!working.prompts && !m_recorded)
            takePart(working.deployment.layout, scenario, c.point);
        scenario.replicas = working.deployment.layout.replicas;
        const auto plan = trafficOn(working, scenario);
        if (!plan)
            return;
        if (const auto run
            = m_recorded ? serve::makeServingRun(*plan, *m_recorded) : serve::makeServingRun(*plan))
            record(c, *run);
    }

    // Many replicas are alike: some of them with their part of the load say what all would, in less time.
    static void takePart(Layout& layout, Scenario& scenario, const UserTimes& point)
    {
        constexpr double enough = 600; // users at once
        const double users = std::max(1.0, point.users);
        const int part = std::max(1, static_cast<int>(std::ceil(enough / users)));
        if (part >= layout.replicas)
            return;
        const double share = double(part) / layout.replicas;
        layout.replicas = part;
        if (scenario.concurrency)
            scenario.concurrency = std::max(1.0, std::ceil(*scenario.concurrency * share));
        if (scenario.requestsPerSecond)
            *scenario.requestsPerSecond *= share;
    }

    void record(Candidate& c, const serve::ServingRun& run) const
    {
        const double percentile = m_scenario.targets.percentile;
        const auto at = [percentile](const serve::Spread& s) {
            return percentile <= 50 ? s.p50
                : percentile <= 75  ? s.p75
                : percentile <= 90  ? s.p90
                : percentile <= 95  ? s.p95
                                    : s.p99;
        };
        c.simulated = SimulatedService{.percentile = percentile,
                                       .ttft = at(run.measures.ttft),
                                       .tpot = at(run.measures.tpot),
                                       .latency = at(run.measures.latency),
                                       .attainment = run.measures.attainment,
                                       .stable = run.verdict.stable};
        OperatingPoint replayed = c.point;
        replayed.ttft = knownAs(c.point.ttft, c.simulated->ttft);
        replayed.tpot = knownAs(c.point.tpot, c.simulated->tpot);
        replayed.latency = knownAs(c.point.latency, c.simulated->latency);
        c.confidence = run.verdict.stable ? confidenceOf(replayed, m_scenario.targets) : 0;
        if (!run.verdict.stable) {
            c.meets = false;
            c.reason = "overloaded: " + run.verdict.reason;
        } else if (m_scenario.targets.any() && !run.answersYes()) {
            c.meets = false;
            c.reason = fmt::format("under traffic {:.1f} % of requests meet the targets, {:.4g} % are asked",
                                   run.measures.attainment * 100, percentile);
        }
    }

    Scenario m_scenario;
    const std::optional<serve::Workload>& m_recorded;
    const RunControl& m_control;
    int m_runs = 0;
    int m_most;
};

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
    return Finals(scenario, none, control, mostRunsOfOne).settled(candidate);
}

std::optional<double> usersThatStand(const Candidate& candidate, const Scenario& scenario,
                                     const RunControl& control)
{
    constexpr double exact = 0.02;
    constexpr double usual = 0.93; // of the closed form's: where it is found most often
    if (candidate.prompts || !candidate.maximumKnown || candidate.maxConcurrency < 2)
        return std::nullopt;
    const std::optional<serve::Workload> none;
    Finals finals(scenario, none, control, mostRunsOfOne + 2);
    double high = std::floor(candidate.maxConcurrency);
    const std::optional<bool> all = finals.standsWith(candidate, high);
    if (!all)
        return std::nullopt;
    if (*all)
        return high;
    double low = candidate.simulated ? loadOf(scenario).users : 0; // so many stood theirs
    double tried = std::max(low + 1, std::floor(high * usual));
    while (high - low > std::max(1.0, exact * high) && tried >= 1 && !finals.exhausted()) {
        const std::optional<bool> stands = finals.standsWith(candidate, tried);
        if (!stands)
            return std::nullopt;
        (*stands ? low : high) = tried;
        tried = std::floor(low > 0 ? (low + high) / 2 : high * usual);
    }
    return low > 0 ? std::optional(low) : std::nullopt;
}

bool simulateFinalists(std::vector<Candidate>& candidates, const Scenario& scenario,
                       const std::optional<serve::Workload>& recorded, const RunControl& control)
{
    if (!trafficMatters(scenario))
        return true;
    Finals finals(scenario, recorded, control);
    const auto order
        = [&](const Candidate& a, const Candidate& b) { return better(a, b, scenario.objective); };
    // More replicas never make a candidate better, so the first tested one that stays on top is the best of
    // all.
    while (!candidates.empty() && candidates.front().meets && !candidates.front().simulated
           && !finals.exhausted()) {
        Candidate tested = finals.settled(candidates.front());
        if (!tested.simulated)
            return true; // the simulator has no such engine or traffic: the closed form stands
        candidates.erase(candidates.begin());
        candidates.insert(std::upper_bound(candidates.begin(), candidates.end(), tested, order),
                          std::move(tested));
    }
    return candidates.empty() || !candidates.front().meets || candidates.front().simulated.has_value();
}

} // namespace headroom
