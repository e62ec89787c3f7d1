#include "model/search/run_ahead.h"

#include <utility>

namespace headroom {

// Where no thread can be had it is played when it is asked for.
RunAhead::RunAhead(const Candidate& candidate, const Scenario& scenario, RunEnds ends, ReplayRun run,
                   std::optional<std::int64_t> mostWork)
    : m_machine(candidate.machine),
      m_layout(candidate.deployment.layout),
      m_load(loadOf(scenario)),
      m_targets(scenario.targets),
      m_ends(ends),
      m_outcome(std::async(std::launch::async | std::launch::deferred,
                           [run = std::move(run), mostWork, stop = m_stop.get_token()]() mutable {
                               return playRun(std::move(run), {}, mostWork, {.stop = stop});
                           }))
{}

bool RunAhead::isOf(const Candidate& c, const Scenario& scenario, RunEnds ends) const
{
    const ServiceLoad load = loadOf(scenario);
    return !c.prompts && c.machine == m_machine && c.deployment.layout == m_layout && ends == m_ends
        && load.users == m_load.users && load.requestsPerSecond == m_load.requestsPerSecond
        && scenario.targets == m_targets;
}

} // namespace headroom
