#pragma once

#include "model/scenario/service_load.h"
#include "model/search/replay_run.h"

#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <stop_token>

namespace headroom {

// A run that is played beside others because it will probably be asked for next. What it gives is the same as
// if it were played then.
class RunAhead {
public:
    RunAhead(const Candidate& candidate, const Scenario& scenario, RunEnds ends, ReplayRun run,
             std::optional<std::int64_t> mostWork);
    ~RunAhead() { m_stop.request_stop(); }
    RunAhead(const RunAhead&) = delete;
    RunAhead& operator=(const RunAhead&) = delete;

    [[nodiscard]] bool isOf(const Candidate& candidate, const Scenario& scenario, RunEnds ends) const;
    // Waits for it. Once.
    [[nodiscard]] ReplayOutcome outcome() { return m_outcome.get(); }

private:
    std::shared_ptr<const Resolved> m_machine;
    Layout m_layout;
    ServiceLoad m_load;
    Targets m_targets;
    RunEnds m_ends;
    std::stop_source m_stop;
    std::future<ReplayOutcome> m_outcome; // last: it is waited for before the rest goes
};

} // namespace headroom
