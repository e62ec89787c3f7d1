#pragma once

#include "model/base/run_control.h"
#include "model/scenario/request.h"
#include "model/scenario/service_load.h"
#include "model/search/learned_ratios.h"
#include "model/search/played_loads.h"
#include "model/search/pools.h"
#include "model/search/replay_run.h"
#include "model/search/run_ahead.h"
#include "model/search/search.h"
#include "model/serve/serving_run.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace headroom {

// Why a candidate says no that nobody played to the end.
[[nodiscard]] Message notReplayed();
// Why something was not looked for.
[[nodiscard]] Message runsSpent();

// How many fewer of so many GPUs or replicas are looked for: what saves less than one in fifty is not worth
// its runs.
[[nodiscard]] inline int fewerWorthARun(int count) { return std::max(1, count / 50); }

// Plays a scenario's traffic on candidates and counts how often: an answer may cost only so many runs.
class Replays {
public:
    // `recorded`: requests to play in place of the scenario's traffic. Both it and `control` are kept.
    // `work`: that all runs together may take, in steps of one sequence. `known`: what others played of the
    // same question. Who is less than `leastSure` of its targets does not meet them.
    Replays(const Scenario& scenario, const std::optional<serve::Workload>& recorded,
            const RunControl& control, int most, std::shared_ptr<std::int64_t> work = {},
            std::shared_ptr<PlayedLoads> known = {}, double leastSure = 0);

    // With the load that decides: peak and growth put in.
    [[nodiscard]] const Scenario& scenario() const { return m_scenario; }
    [[nodiscard]] int left() const;
    [[nodiscard]] bool exhausted() const { return left() == 0; }
    [[nodiscard]] double leastSure() const { return m_leastSure; }
    [[nodiscard]] const LearnedRatios& ratios() const { return m_ratios; }

    // The candidate with so many replicas; `simulated` stays empty where the simulator has no such engine or
    // traffic, or where so many are refused without a run (by a budget): then it does not meet.
    [[nodiscard]] Candidate played(const Candidate& candidate, int replicas);
    [[nodiscard]] Candidate playedPools(const Candidate& candidate, const PoolSizes& sizes);
    // The candidate as it is will probably be played next: its run may begin now, beside others.
    void playAhead(const Candidate& candidate);
    // The candidate with another load, of the kind that was stated or of users where none was; as it is
    // otherwise.
    [[nodiscard]] Candidate playedWith(const Candidate& candidate, const ServiceLoad& load);

    // The same as who states that load hears it.
    [[nodiscard]] Candidate playedAsStated(const Candidate& candidate, const ServiceLoad& load);

    // The candidate as it is, played to the end whatever it misses.
    [[nodiscard]] Candidate playedWhole(const Candidate& candidate);
    // What stood a run that ended where that was clear, played to the end: what is told of it, and whether it
    // stands, is what that says.
    [[nodiscard]] Candidate whole(const Candidate& stood);
    // The candidate, played until it misses its targets or to the end, whatever is left for runs.
    [[nodiscard]] Candidate proven(const Candidate& candidate);

    // So many replicas of the candidate with that load, whatever the closed form says of its times, so sure
    // at least.
    [[nodiscard]] Candidate playedAs(const Candidate& candidate, int replicas, const ServiceLoad& load,
                                     double sure);
    // So many replicas with the load that was stated, where they stand it with the share besides that is to
    // stay free; else with that, which they do not stand.
    [[nodiscard]] Candidate playedWithRoom(const Candidate& candidate, int replicas, double sure);
    void playAheadWithRoom(const Candidate& candidate);
    // The load that was stated with what is to stay free.
    [[nodiscard]] ServiceLoad loadWithRoom() const;

private:
    [[nodiscard]] Candidate playedAnyway(const Candidate& candidate, int replicas);
    void setLoad(const ServiceLoad& load);
    bool play(Candidate& candidate); // false: the simulator has no such engine or traffic
    bool playToTheEnd(Candidate& candidate);
    [[nodiscard]] bool isUnclear(const Candidate& candidate) const;
    [[nodiscard]] PlayedLoads::Played run(const Candidate& candidate);
    [[nodiscard]] std::optional<std::int64_t> mostWorkOf(const Candidate& candidate) const;
    [[nodiscard]] std::vector<std::unique_ptr<RunAhead>>::iterator findAhead(const Candidate& candidate,
                                                                             RunEnds ends);
    [[nodiscard]] ReplayOutcome outcomeOf(const Candidate& candidate);
    [[nodiscard]] PlayedLoads::Played charged(ReplayOutcome outcome);
    void tell(Candidate& candidate, const PlayedLoads::Played& played) const;

    Scenario m_scenario;
    const std::optional<serve::Workload>& m_recorded;
    const RunControl& m_control;
    int m_most;
    int m_runs = 0;
    std::shared_ptr<std::int64_t> m_work; // left; none: any number
    std::shared_ptr<PlayedLoads> m_known; // none: nothing is remembered
    LearnedRatios m_ratios;
    bool m_asksMost; // no load is stated: how much is carried is asked
    double m_leastSure;
    bool m_endsBroken = true; // a run that misses its targets need not go on
    bool m_endsKept = true;   // nor one that clearly keeps them
    bool m_proves = false;    // what stood a shorter run
    std::vector<std::unique_ptr<RunAhead>> m_ahead;
};

} // namespace headroom
