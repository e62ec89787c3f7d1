#pragma once

#include "model/base/run_control.h"
#include "model/scenario/request.h"
#include "model/scenario/service_load.h"
#include "model/search/pools.h"
#include "model/search/search.h"
#include "model/serve/serving_run.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace headroom {

// Plays a scenario's traffic on candidates and counts how often: an answer may cost only so many runs.
class Replays {
public:
    // `recorded`: requests to play in place of the scenario's traffic. Both it and `control` are kept.
    // `steps`: of the engine, that all runs together may take.
    Replays(const Scenario& scenario, const std::optional<serve::Workload>& recorded,
            const RunControl& control, int most, std::shared_ptr<std::int64_t> steps = {});

    // With the load that decides: peak and growth put in.
    [[nodiscard]] const Scenario& scenario() const { return m_scenario; }
    [[nodiscard]] int left() const;
    [[nodiscard]] bool exhausted() const { return left() == 0; }

    // The candidate with so many replicas; `simulated` stays empty where the simulator has no such engine or
    // traffic, or where so many are refused without a run (by a budget): then it does not meet.
    [[nodiscard]] Candidate played(const Candidate& candidate, int replicas);
    [[nodiscard]] Candidate playedPools(const Candidate& candidate, const PoolSizes& sizes);
    // The candidate with another load, of the kind that was stated or of users where none was; as it is
    // otherwise.
    [[nodiscard]] Candidate playedWith(const Candidate& candidate, const ServiceLoad& load);

private:
    void play(Candidate& candidate) const;
    // `share`: the part of the service that was played.
    void record(Candidate& candidate, const serve::ServingRun& run, double share) const;

    Scenario m_scenario;
    const std::optional<serve::Workload>& m_recorded;
    const RunControl& m_control;
    int m_most;
    int m_runs = 0;
    std::shared_ptr<std::int64_t> m_steps; // left; none: any number
};

} // namespace headroom
