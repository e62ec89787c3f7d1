#pragma once

#include "model/base/run_control.h"
#include "model/scenario/request.h"
#include "model/search/candidate.h"
#include "model/search/played_loads.h"
#include "model/serve/serving_setup.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace headroom {

// When a run may end early.
struct RunEnds {
    bool broken = true; // the targets are missed whatever follows
    bool kept = true;   // they are clearly kept

    friend bool operator==(RunEnds, RunEnds) = default;
};

// One run of the simulator for a candidate, made ready: nothing that others change is read while it runs.
struct ReplayRun {
    serve::ServingPlan plan;
    UserTimes closedForm;
    double percentile = 0;
    double share = 1; // of the service, that is played
};
// A run that ended where it was clear that the targets are kept: it can go on to its end.
struct ReplayUnderWay {
    ReplayRun made;
    std::unique_ptr<serve::UnderWay> underWay;
};
struct ReplayOutcome {
    PlayedLoads::Played played;
    std::int64_t steps = 0;                   // of one sequence
    std::int64_t work = 0;                    // with that of the requests, in the same unit
    std::shared_ptr<ReplayUnderWay> underWay; // none: it is at its end
};

// Targets hold with the spares out of service. None where the simulator has no such engine or traffic.
// `known`: what steps take is remembered there, and read by one run at a time.
[[nodiscard]] std::optional<ReplayRun> replayRunOf(const Candidate& candidate, const Scenario& scenario,
                                                   const std::optional<serve::Workload>& recorded,
                                                   bool asksMost, RunEnds ends, PlayedLoads* known);

// `mostWork`: steps that it may take; none: any.
[[nodiscard]] ReplayOutcome playRun(ReplayRun run, const std::optional<serve::Workload>& recorded,
                                    std::optional<std::int64_t> mostWork, const RunControl& control = {});
// To its end. It costs what it would if it were played anew, `mostWork` included: what an answer finds does
// not hang on what is remembered.
[[nodiscard]] ReplayOutcome playOn(const std::shared_ptr<ReplayUnderWay>& run,
                                   std::optional<std::int64_t> mostWork, const RunControl& control = {});

} // namespace headroom
