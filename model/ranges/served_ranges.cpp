#include "model/ranges/served_ranges.h"

#include "model/base/estimate.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace headroom {
namespace {

// Lengths as they are, of requests that were recorded or are of several kinds.
void takeLengths(PlayedRun& out, const serve::Workload& workload)
{
    double prompt = 0, output = 0, squares = 0;
    for (const serve::Request& each : workload.requests) {
        prompt += each.promptTokens;
        output += each.outputTokens;
        squares += double(each.outputTokens) * each.outputTokens;
    }
    const auto count = static_cast<double>(workload.requests.size());
    if (count < 1)
        return;
    out.promptTokens = prompt / count;
    out.outputTokens = output / count;
    const double variance = squares / count - out.outputTokens * out.outputTokens;
    out.outputVariation = std::sqrt(std::max(0.0, variance)) / out.outputTokens;
}

PlayedRun playedRun(const Resolved& machine, const Deployment& prompts, const serve::ServingPlan& plan,
                    const serve::ServingRun& run)
{
    const Scenario& scenario = machine.scenario;
    PlayedRun out{.decodes = &machine.deployment, .prompts = &prompts};
    out.kind = runKindOf(scenario, plan, run.measures);
    out.users = usersOf(scenario, machine.load.batch * machine.deployment.layout.replicas);
    out.requests = static_cast<double>(run.workload.requests.size());
    out.looksStated = scenario.receiveInterval.has_value();
    const std::vector<serve::TrafficClass>& classes = plan.traffic.classes;
    if (!scenario.trace.empty() || classes.size() != 1 || classes.front().turns > 1) {
        takeLengths(out, run.workload);
        return out;
    }
    out.promptTokens = classes.front().prompt.mean();
    out.outputTokens = classes.front().output.mean();
    out.outputVariation = classes.front().output.variation();
    return out;
}

} // namespace

ServedRanges::ServedRanges(const Resolved& machine, const Resolved* prompts, const serve::ServingPlan& plan,
                           const serve::ServingRun& run)
    : m_run(playedRun(machine, prompts ? prompts->deployment : machine.deployment, plan, run))
{
    takeTimes(m_figures, run.measures);
    takeSteps(m_figures, m_run, runningBatch(m_run, machine.load.batch));
    if (m_run.kind == RunKind::OpenLoop && run.verdict.capacity.base() > 0)
        m_figures.ofCapacity = run.verdict.offered.base() / run.verdict.capacity.base();
    m_figures.servers = prompts ? 2 : 1;
    if (prompts)
        m_figures.atPrompts
            = waitAt(prompts->deployment, prompts->load, run.measures, run.workload.users > 0);
}

double ServedRanges::factor(Metric metric, Statistic statistic) const
{
    return std::exp(deviationsToNinetieth * lnSpreadOf(m_figures, m_run, metric, statistic));
}

} // namespace headroom
