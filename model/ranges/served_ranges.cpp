#include "model/ranges/served_ranges.h"

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

PlayedRun playedRun(const Scenario& scenario, const PlayedOn& decodes, const PlayedOn& prompts,
                    const serve::ServingPlan& plan, const serve::ServingRun& run)
{
    PlayedRun out{.decodes = &decodes.deployment, .prompts = &prompts.deployment};
    out.kind = runKindOf(scenario, plan, run.measures);
    out.users = usersOf(scenario, decodes.load.batch * decodes.deployment.layout.replicas);
    out.requests = static_cast<double>(run.workload.requests.size());
    out.looksStated = scenario.receiveInterval.has_value();
    out.gapVariation = plan.traffic.arrivals.gapVariation();
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

ServedRanges::ServedRanges(const Scenario& scenario, const PlayedOn& decodes,
                           const std::optional<PlayedOn>& prompts, const serve::ServingPlan& plan,
                           const serve::ServingRun& run)
{
    const PlayedRun played = playedRun(scenario, decodes, prompts ? *prompts : decodes, plan, run);
    ServedFigures figures;
    takeTimes(figures, run.measures);
    takeSteps(figures, played, runningBatch(played, decodes.load.batch));
    if (played.kind == RunKind::OpenLoop && run.verdict.capacity.base() > 0)
        figures.ofCapacity = run.verdict.offered.base() / run.verdict.capacity.base();
    if (prompts) {
        figures.servers = 2;
        figures.twoPools = true;
        figures.atPrompts = waitAt(prompts->deployment, prompts->load, run.measures, run.workload.users > 0);
    }
    for (const Metric metric : allMetrics)
        for (const Statistic statistic : allStatistics)
            m_factors.at(static_cast<std::size_t>(metric)).at(static_cast<std::size_t>(statistic))
                = rangeOf(figures, played, metric, statistic);
}

} // namespace headroom
