#include "model/plan/finalists.h"

#include "model/plan/judge.h"
#include "model/serve/serving_run.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace headroom {

namespace {

// Runs of the simulator that one answer may cost.
constexpr int mostRuns = 24;

class Finals {
public:
    Finals(const Scenario& scenario, const RunControl& control) : m_scenario(scenario), m_control(control)
    {
        const ServiceLoad load = loadOf(scenario);
        m_scenario.peakFactor = 1;
        if (load.users > 0)
            m_scenario.concurrency = load.users;
        if (load.requestsPerSecond > 0)
            m_scenario.requestsPerSecond = load.requestsPerSecond;
        if (load.users > 0 && load.requestsPerSecond == 0)
            m_scenario.traffic = "closed";
        // Enough to let the start of a closed loop, when everyone comes at once, pass within the warm-up
        // tenth.
        const Scenario usual;
        if (scenario.requests == usual.requests)
            m_scenario.requests
                = std::clamp<std::int64_t>(static_cast<std::int64_t>(12 * load.users), 1000, 8000);
    }

    [[nodiscard]] bool exhausted() const { return m_runs >= mostRuns || m_control.stop.stop_requested(); }

    // The candidate with as many replicas as the percentile takes.
    Candidate settled(const Candidate& candidate)
    {
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

private:
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
        // Targets hold with the spares out of service.
        Deployment working = c.deployment;
        working.layout.replicas = std::max(1, replicas - m_scenario.spares);
        Scenario scenario = m_scenario;
        scenario.replicas = working.layout.replicas;
        const auto plan = serve::servingPlan(scenario, working, c.load);
        if (!plan)
            return c;
        const auto run = serve::makeServingRun(*plan);
        if (!run)
            return c;
        record(c, *run);
        return c;
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
    const RunControl& m_control;
    int m_runs = 0;
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

void simulateFinalists(std::vector<Candidate>& candidates, const Scenario& scenario,
                       const RunControl& control)
{
    if (!trafficMatters(scenario))
        return;
    Finals finals(scenario, control);
    const auto order
        = [&](const Candidate& a, const Candidate& b) { return better(a, b, scenario.objective); };
    // More replicas never make a candidate better, so the first tested one that stays on top is the best of
    // all.
    while (!candidates.empty() && candidates.front().meets && !candidates.front().simulated
           && !finals.exhausted()) {
        Candidate tested = finals.settled(candidates.front());
        if (!tested.simulated)
            return; // the simulator has no such engine or traffic: the closed form stands
        candidates.erase(candidates.begin());
        candidates.insert(std::upper_bound(candidates.begin(), candidates.end(), tested, order),
                          std::move(tested));
    }
}

} // namespace headroom
