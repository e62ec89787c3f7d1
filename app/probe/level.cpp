#include "app/probe/level.h"

#include "app/probe/level_run.h"

#include <algorithm>
#include <map>

namespace headroom::probe {

namespace {

// A client that spends this share of a processor and notices things this late (s) measures itself.
constexpr double busyShare = 0.9;
constexpr double busyLag = 0.002;
constexpr double shortestToAccuse = 1; // s; a burst says nothing

Bounds boundsOf(const std::vector<double>& ascending, double p)
{
    const serve::RankInterval ranks = serve::ranksAround(p, std::int64_t(ascending.size()));
    const auto at = [&](std::int64_t rank) { return ascending[static_cast<std::size_t>(rank - 1)]; };
    Bounds bounds;
    if (ranks.low)
        bounds.low = at(*ranks.low);
    if (ranks.high)
        bounds.high = at(*ranks.high);
    return bounds;
}

TimeSpread spreadOf(std::vector<double> times)
{
    std::sort(times.begin(), times.end());
    return {.spread = serve::spreadOf(times),
            .p50 = boundsOf(times, 50),
            .p90 = boundsOf(times, 90),
            .p99 = boundsOf(times, 99)};
}

std::vector<FailureCount> failuresOf(const std::vector<CallResult>& calls)
{
    std::map<std::string, FailureCount> byName;
    for (const CallResult& call : calls)
        if (call.failure) {
            FailureCount& count = byName[call.failure.name()];
            if (count.count++ == 0) {
                count.name = call.failure.name();
                count.example = call.failure.sentence();
            }
        }
    std::vector<FailureCount> failures;
    for (auto& [name, count] : byName)
        failures.push_back(std::move(count));
    std::stable_sort(failures.begin(), failures.end(),
                     [](const FailureCount& a, const FailureCount& b) { return a.count > b.count; });
    return failures;
}

} // namespace

std::string_view levelEndName(LevelEnd end)
{
    switch (end) {
    case LevelEnd::Complete:
        return "complete";
    case LevelEnd::EqualFailures:
        return "equal-failures";
    case LevelEnd::Deadline:
        return "deadline";
    case LevelEnd::Interrupted:
        return "interrupted";
    case LevelEnd::ClientLimit:
        break;
    }
    return "client-limit";
}

void LevelRun::fillTimes(ProbeLevel& level) const
{
    std::vector<double> ttft, tpot, latency;
    double output = 0;
    double prompt = 0;
    for (const CallResult& call : m_calls) {
        if (call.failure)
            continue;
        ttft.push_back(call.ttft);
        latency.push_back(call.latency);
        if (call.tpot > 0)
            tpot.push_back(call.tpot);
        output += call.outputTokens;
        prompt += call.promptTokens;
        ++level.countedBy[static_cast<std::size_t>(call.countedBy)];
    }
    const auto answered = double(ttft.size());
    if (answered > 0) {
        level.meanOutputTokens = output / answered;
        level.meanPromptTokens = prompt / answered;
    }
    level.ttft = spreadOf(std::move(ttft));
    level.tpot = spreadOf(std::move(tpot));
    level.latency = spreadOf(std::move(latency));
    if (level.seconds > 0 && m_pieces > 0) {
        // Pieces are counted as they come, tokens where an answer ends.
        level.outputTokensPerSecond = m_windowPieces / level.seconds * (m_tokens / m_pieces);
        level.requestsPerSecond = level.outputTokensPerSecond / level.meanOutputTokens;
    }
}

void LevelRun::judge(ProbeLevel& level) const
{
    const auto met = std::count_if(m_calls.begin(), m_calls.end(), [&](const CallResult& call) {
        return probe::meets(call, m_plan.targets);
    });
    level.attainment = m_calls.empty() ? 0 : double(met) / double(m_calls.size());
    level.attainmentRange = serve::shareAround(met, level.requests);
    const double promised = m_plan.targets.any() ? m_plan.targets.percentile : 100;
    level.settled = m_settle == Settle::Both;
    level.meets
        = m_end == LevelEnd::Complete && level.requests > level.failed && level.attainment * 100 >= promised;
    level.clientBusy
        = level.seconds >= shortestToAccuse && level.clientShare >= busyShare && level.clientLag >= busyLag;
}

ProbeLevel LevelRun::measured() const
{
    ProbeLevel level{
        .concurrency = open() ? m_peak : m_load.users, .rateAsked = m_load.requestsPerSecond, .end = m_end};
    level.requests = int(m_calls.size());
    level.warmUp = std::min(m_started, m_warmUps);
    level.failures = failuresOf(m_calls);
    for (const FailureCount& failure : level.failures)
        level.failed += failure.count;
    if (m_clientFailure)
        level.failures.push_back({m_clientFailure.name(), 1, m_clientFailure.sentence()});
    level.seconds = m_windowOpen ? m_windowEnded - m_windowBegan : 0;
    const double whole = m_windowEnded - m_began;
    level.clientShare = whole > 0 ? m_use.processorSeconds / whole : 0;
    level.clientLag = m_use.lag;
    fillTimes(level);
    judge(level);
    return level;
}

ProbeLevel runLevel(Transport& transport, const ProbePlan& plan, const Load& load, Settle settle,
                    const StopAsked& stop)
{
    LevelRun run(transport, plan, load, settle, stop);
    run.run();
    return run.measured();
}

} // namespace headroom::probe
