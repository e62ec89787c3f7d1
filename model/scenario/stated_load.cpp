#include "model/scenario/stated_load.h"

#include <algorithm>

namespace headroom {

namespace {

constexpr double secondsPerMonth = 365.25 * 86400 / 12;

double tokensOfRequest(const Scenario& s) { return std::max(1.0, s.prompt.mean() + s.output.mean()); }

// Seconds of a month that the machines run.
double usedSeconds(const Money& money)
{
    return secondsPerMonth * money.hoursPerDay * money.daysPerWeek / (24 * 7);
}

} // namespace

std::optional<double> requestsOfJob(const Scenario& s)
{
    if (s.jobRequests)
        return s.jobRequests;
    return s.jobTokens ? std::optional(std::max(1.0, *s.jobTokens / tokensOfRequest(s))) : std::nullopt;
}

bool worksOffJob(const Scenario& s) { return (s.jobTokens || s.jobRequests) && s.deadline && !s.concurrency; }

bool mayMiss(const Scenario& s) { return s.targets.any() || worksOffJob(s); }

Scenario withStatedLoad(Scenario s)
{
    const std::optional<double> job = requestsOfJob(s);
    if (s.requestsPerSecond)
        return s;
    if (s.messagesPerMinute && s.concurrency) {
        s.requestsPerSecond = *s.concurrency * *s.messagesPerMinute / 60;
        s.concurrency.reset();
    } else if (job && s.deadline) {
        s.requestsPerSecond = *job / s.deadline->base();
    } else if (job && !s.concurrency && s.objective == Objective::FewestGpus) {
        s.objective = Objective::MostThroughput;
    } else if (s.tokensPerMonth && !s.concurrency && !job) {
        s.requestsPerSecond = *s.tokensPerMonth / tokensOfRequest(s) / usedSeconds(s.money);
    }
    return s;
}

Problems loadProblems(const Scenario& s)
{
    Problems out;
    const bool job = s.jobTokens || s.jobRequests;
    if (s.deadline && !job)
        out.push_back(
            {"deadline", "there is no job that could be done by then", "job-tokens or job-requests"});
    if (s.jobTokens && s.jobRequests)
        out.push_back({"job-tokens", "a job is told in tokens or in requests, not in both", {}});
    if (s.messagesPerMinute && !s.concurrency && !s.requestsPerSecond)
        out.push_back({"messages-per-minute", "of how many users is not said", "concurrency"});
    if (job && s.tokensPerMonth)
        out.push_back({"tokens-per-month", "a job and a load of every month are two questions", {}});
    return out;
}

} // namespace headroom
