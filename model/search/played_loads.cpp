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

PlayedLoads::Question::Question(const Candidate& c, const Scenario& scenario)
    : machine(c.machine), layout(c.deployment.layout), load(loadOf(scenario)), targets(scenario.targets)
{
    if (!c.prompts)
        return;
    prompting = c.prompts->machine;
    prompts = c.prompts->deployment.layout;
}

bool PlayedLoads::Question::isOf(const Candidate& c, const Scenario& scenario) const
{
    const bool samePrompts
        = c.prompts ? prompting == c.prompts->machine && prompts == c.prompts->deployment.layout : !prompting;
    return machine == c.machine && layout == c.deployment.layout && samePrompts
        && sameLoad(load, loadOf(scenario)) && targets == scenario.targets;
}

const PlayedLoads::Played* PlayedLoads::find(const Candidate& c, const Scenario& scenario) const
{
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& entry) { return entry.question.isOf(c, scenario); });
    return found == m_entries.end() ? nullptr : &found->played;
}

void PlayedLoads::add(const Candidate& c, const Scenario& scenario, Played played)
{
    // Of two the later one is the whole one.
    m_entries.insert(m_entries.begin(), {Question(c, scenario), std::move(played)});
}

void PlayedLoads::keep(const Candidate& c, const Scenario& scenario, std::shared_ptr<ReplayUnderWay> run)
{
    constexpr std::size_t most = 8; // some megabytes each
    if (m_unfinished.size() == most)
        m_unfinished.erase(m_unfinished.begin());
    m_unfinished.push_back({Question(c, scenario), std::move(run)});
}

std::shared_ptr<ReplayUnderWay> PlayedLoads::takeUnderWay(const Candidate& c, const Scenario& scenario)
{
    const auto found
        = std::find_if(m_unfinished.begin(), m_unfinished.end(),
                       [&](const Unfinished& unfinished) { return unfinished.question.isOf(c, scenario); });
    if (found == m_unfinished.end())
        return nullptr;
    std::shared_ptr<ReplayUnderWay> run = std::move(found->run);
    m_unfinished.erase(found);
    return run;
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
