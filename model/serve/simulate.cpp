#include "model/serve/simulate.h"

#include "model/serve/cluster.h"
#include "model/serve/setup_problems.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace headroom::serve {

namespace {

// The same with caches that count their blocks and do not know what is in them.
ServingSetup counting(ServingSetup setup)
{
    setup.pool.scheduling.prefixCache = false;
    if (setup.prefill)
        setup.prefill->pool.scheduling.prefixCache = false;
    return setup;
}

// The same with larger cache pages where a prompt has very many of them. No prefixes are shared, so only the
// rounding up to a page changes: less than a thousandth of a prompt.
ServingSetup inLargerPages(ServingSetup setup, const Workload& workload)
{
    constexpr double pagesOfAPrompt = 512;
    double tokens = 0;
    for (const Request& request : workload.requests)
        tokens += request.promptTokens;
    const double mean = tokens / static_cast<double>(std::max<std::size_t>(1, workload.requests.size()));
    const auto page = static_cast<int>(std::bit_floor(static_cast<unsigned>(mean / pagesOfAPrompt)));
    const auto widen
        = [page](Scheduling& scheduling) { scheduling.blockTokens = std::max(scheduling.blockTokens, page); };
    widen(setup.pool.scheduling);
    if (setup.prefill)
        widen(setup.prefill->pool.scheduling);
    return setup;
}

} // namespace

// Where no two requests share a text only who was preempted finds his own again: until then a cache that
// counts gives the same, in half the time.
UnderWay::UnderWay(const ServingSetup& setup, std::shared_ptr<const Workload> workload)
    : m_setup(setup),
      m_workload(std::move(workload)),
      m_quick(setup.pool.scheduling.prefixCache && !m_workload->sharesPrefixes())
{
    m_cluster = std::make_unique<Cluster>(m_quick ? counting(m_setup) : m_setup, *m_workload);
}

UnderWay::~UnderWay() = default;

Result<std::unique_ptr<UnderWay>> UnderWay::with(const ServingSetup& setup,
                                                 std::shared_ptr<const Workload> workload)
{
    Problems problems = problemsOf(setup, *workload);
    if (!problems.empty())
        return refuse(std::move(problems));
    return std::unique_ptr<UnderWay>(new UnderWay(setup, std::move(workload)));
}

// The work of the first attempt counts against the same budget.
Simulation UnderWay::run(const RunControl& control)
{
    m_cluster->run(control, m_quick);
    if (m_quick && m_cluster->preempted()) {
        m_quick = false;
        m_workBefore = m_cluster->work();
        ServingSetup setup = inLargerPages(m_setup, *m_workload);
        if (setup.mostWork)
            *setup.mostWork -= m_workBefore;
        m_cluster = std::make_unique<Cluster>(setup, *m_workload);
        m_cluster->run(control);
    }
    return soFar();
}

Simulation UnderWay::goOn(std::optional<std::int64_t> mostWork, const RunControl& control)
{
    m_setup.mostWork = mostWork;
    m_setup.endsBroken->clearlyKept = 0;
    m_cluster->goOn(mostWork ? std::optional(*mostWork - m_workBefore) : std::nullopt);
    return run(control);
}

Simulation UnderWay::soFar()
{
    Simulation simulation = m_cluster->kept() ? m_cluster->soFar() : m_cluster->take();
    simulation.work += m_workBefore;
    return simulation;
}

Result<Simulation> simulate(const ServingSetup& setup, const Workload& workload, const RunControl& control)
{
    // Kept by the caller.
    std::shared_ptr<const Workload> kept(std::shared_ptr<const Workload>(), &workload);
    return UnderWay::with(setup, std::move(kept)).transform([&](const std::unique_ptr<UnderWay>& underWay) {
        return underWay->run(control);
    });
}

} // namespace headroom::serve
