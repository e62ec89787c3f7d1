#include "model/serve/setup_problems.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace headroom::serve {

namespace {

Problems problemsOf(const ReplicaPool& pool, const char* name)
{
    Problems problems = serve::problemsOf(pool.scheduling.ofOneLane().ofOneRank());
    if (pool.scheduling.lanes > 1 && !pool.passTime)
        problems.push_back({"passTime", "missing", {}});
    if (!pool.stepTime)
        problems.push_back({"stepTime", "missing", {}});
    constexpr int most = std::numeric_limits<std::int16_t>::max();
    if (pool.replicas < 1 || pool.replicas > most)
        problems.push_back({"replicas", say("expected 1 to {}, got {}", most, pool.replicas), {}});
    for (Problem& problem : problems)
        problem.where = fmt::format("{}.{}", name, problem.where);
    return problems;
}

void checkWorkload(const Workload& workload, Problems& problems)
{
    const auto count = static_cast<std::int32_t>(workload.requests.size());
    if (workload.users < 0 || workload.mostInFlight < 0 || (workload.users > 0 && workload.mostInFlight > 0))
        problems.push_back({"users", "either users take turns, or given arrivals are bounded in flight", {}});
    for (std::int32_t i = 0; i < count && problems.size() < 20; ++i) {
        const Request& request = workload.requests[static_cast<std::size_t>(i)];
        const std::string where = fmt::format("requests[{}]", i);
        if (request.promptTokens < 1 || request.outputTokens < 1)
            problems.push_back({where, "expected a prompt and an output of at least 1 token", {}});
        if (!std::isfinite(request.arrival.base()) || !(request.think.base() >= 0))
            problems.push_back({where, "expected a finite arrival and a pause of 0 s or more", {}});
        if (request.follows >= i)
            problems.push_back({where, "a turn follows an earlier request", {}});
        if (request.classIndex >= workload.classes.size())
            problems.push_back({where, "class is not in the list of classes", {}});
        if (request.hashBegin + std::size_t{request.hashCount} > workload.prefixHashes.size()
            || (request.hashCount > 0 && workload.hashedTokens < 1))
            problems.push_back({where, "prefix hashes are missing", {}});
    }
}

} // namespace

Problems problemsOf(const ServingSetup& setup, const Workload& workload)
{
    Problems problems = problemsOf(setup.pool, "pool");
    if (setup.prefill) {
        const Problems more = problemsOf(setup.prefill->pool, "prefill");
        problems.insert(problems.end(), more.begin(), more.end());
        if (keepsBatch(setup.prefill->pool.scheduling.kind))
            problems.push_back({"prefill.kind", "a pool of its own for prompts cannot wait for answers", {}});
    }
    if (!(setup.reception.perPromptToken.base() >= 0) || setup.reception.lines < 1)
        problems.push_back({"reception", "expected a time of 0 s or more and at least one line", {}});
    checkWorkload(workload, problems);
    return problems;
}

} // namespace headroom::serve
