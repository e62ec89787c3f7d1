#include "model/search/deciding_load.h"

#include "model/scenario/service_load.h"
#include "model/scenario/stated_load.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Nothing was said of how fast an answer goes on, and it is not the number of GPUs or their throughput that
// was stated or asked. A first token in time is no speed: without one it would go on at any.
bool choosesNoSpeed(const Scenario& s)
{
    if (s.targets.tokensPerSecond || s.targets.tpot || s.targets.latency || s.output.mean() <= 1)
        return false;
    // How many are served is asked of an interactive service, whatever it runs on.
    if (s.objective == Objective::MostUsers && fullyLoaded(s))
        return true;
    return !requestsOfJob(s) && !s.gpuCount && s.gpuCounts.empty() && s.layouts.empty()
        && s.gpuLayouts.empty() && !s.replicas && !s.tp && !s.pp && !s.dp && !s.batch && !fullyLoaded(s)
        && s.objective != Objective::FastestStream;
}

} // namespace

// Nobody expects the first word of an answer on a book as soon as that on a sentence. MLPerf gives Llama 3.1
// 405B 6 s for prompts of 9,400 tokens (mlcommons.org/2025/04/llm-inference-v5). What is in the prefix cache
// is not waited for.
Seconds usualWait(const Scenario& s)
{
    constexpr double mlperfWait = 6; // seconds
    constexpr double mlperfPrompt = 9400;
    constexpr double nearlyAll = 0.9; // of the requests have prompts no longer than this
    const double computed = s.prompt.quantile(nearlyAll) * (1 - s.prefixCached);
    return std::max(longWait, Seconds{std::round(computed * mlperfWait / mlperfPrompt)});
}

// Where the number of GPUs was stated, how few of them would do was not asked, but what they give.
Result<BusiestLoad> decidingLoad(const Scenario& asked, const TraceReader& readTrace)
{
    return busiestLoad(asked, readTrace).transform([&](BusiestLoad busiest) {
        if (busiest.scenario.gpuCount && busiest.scenario.objective == Objective::FewestGpus)
            busiest.scenario.objective = Objective::FastestStream;
        if (choosesNoSpeed(asked)) {
            busiest.assumed.tokensPerSecond = usualSpeed;
            busiest.scenario.targets.tokensPerSecond = usualSpeed;
            if (!asked.targets.ttft)
                busiest.assumed.ttft = busiest.scenario.targets.ttft = usualWait(busiest.scenario);
        }
        return busiest;
    });
}

void assume(BusiestLoad& load, const Scenario& asked, const Targets& assumed)
{
    load.scenario.targets = asked.targets;
    if (assumed.tokensPerSecond)
        load.scenario.targets.tokensPerSecond = assumed.tokensPerSecond;
    if (assumed.ttft)
        load.scenario.targets.ttft = assumed.ttft;
    load.assumed = assumed;
}

std::optional<Targets> lessThan(Targets assumed)
{
    constexpr double slowest = usualSpeed / 4;
    if (!assumed.tokensPerSecond || *assumed.tokensPerSecond / 2 < slowest)
        return std::nullopt;
    *assumed.tokensPerSecond /= 2;
    if (assumed.ttft)
        *assumed.ttft = *assumed.ttft * 2;
    return assumed;
}

} // namespace headroom
