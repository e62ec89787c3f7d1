#include "model/search/played_loads.h"

#include <algorithm>
#include <utility>

namespace headroom {

namespace {

bool sameLoad(const ServiceLoad& a, const ServiceLoad& b)
{
    return a.users == b.users && a.requestsPerSecond == b.requestsPerSecond;
}

// Copies of it share what it remembers.
template <typename Time>
Time shared(Time time)
{
    if (!time)
        return time;
    return [own = std::make_shared<Time>(std::move(time))](const StepShape& shape) { return (*own)(shape); };
}

} // namespace

const PlayedLoads::Played* PlayedLoads::find(const Candidate& c, const Scenario& scenario) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(), [&](const Entry& entry) {
        const bool samePrompts = c.prompts
            ? entry.prompting == c.prompts->machine && entry.prompts == c.prompts->deployment.layout
            : !entry.prompting;
        return entry.machine == c.machine && entry.layout == c.deployment.layout && samePrompts
            && sameLoad(entry.load, loadOf(scenario)) && entry.targets == scenario.targets;
    });
    return found == m_entries.end() ? nullptr : &found->played;
}

void PlayedLoads::add(const Candidate& c, const Scenario& scenario, Played played)
{
    Entry entry{.machine = c.machine,
                .layout = c.deployment.layout,
                .load = loadOf(scenario),
                .targets = scenario.targets,
                .played = std::move(played)};
    if (c.prompts) {
        entry.prompting = c.prompts->machine;
        entry.prompts = c.prompts->deployment.layout;
    }
    m_entries.insert(m_entries.begin(), std::move(entry)); // of two the later one is the whole one
}

void PlayedLoads::shareSteps(const Candidate& c, serve::ServingSetup& setup)
{
    shareSteps(c.machine, c.deployment.layout, setup.pool);
    if (setup.prefill)
        shareSteps(c.prompts->machine, c.prompts->deployment.layout, setup.prefill->pool);
}

void PlayedLoads::shareSteps(const std::shared_ptr<const Resolved>& machine, Layout layout,
                             serve::ReplicaPool& pool)
{
    constexpr std::size_t most = 16; // a megabyte each
    layout.replicas = 1;
    auto known = std::find_if(m_steps.begin(), m_steps.end(), [&](const Steps& steps) {
        return steps.machine == machine && steps.layout == layout;
    });
    if (known == m_steps.end()) {
        if (m_steps.size() == most)
            m_steps.erase(m_steps.begin());
        m_steps.push_back(
            {machine, layout, shared(std::move(pool.stepTime)), shared(std::move(pool.passTime))});
        known = m_steps.end() - 1;
    }
    pool.stepTime = known->time;
    pool.passTime = known->pass;
}

} // namespace headroom
