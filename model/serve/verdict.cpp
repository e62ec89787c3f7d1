#include "model/serve/verdict.h"

#include "model/base/apart.h"
#include "model/base/three_digits.h"

#include <algorithm>
#include <fmt/format.h>
#include <vector>

namespace headroom::serve {

namespace {

SteadyState saturated(const ReplicaPool& pool, const SteadyLoad& load)
{
    return steadySaturated(pool.stepTime, pool.scheduling, load);
}

// The line as arrivals find it: requests that are there but not yet scheduled.
struct Line {
    double early = 0; // mean length, a third to half of the way through the arrivals
    double late = 0;  // mean length over the last sixth
    double apart = 0; // seconds between the middles of the two
};

Line watchLine(const Simulation& simulation)
{
    std::vector<double> arrivals;
    std::vector<double> starts;
    for (const Outcome& outcome : simulation.outcomes) {
        if (outcome.state != Outcome::State::Done)
            continue;
        arrivals.push_back(outcome.arrival.base());
        starts.push_back(outcome.start.base());
    }
    std::sort(arrivals.begin(), arrivals.end());
    std::sort(starts.begin(), starts.end());
    const std::size_t count = arrivals.size();
    Line line;
    if (count < 12)
        return line;
    const auto meanLength = [&](std::size_t from, std::size_t to) {
        double sum = 0;
        std::size_t started = 0;
        for (std::size_t i = from; i < to; ++i) {
            while (started < count && starts[started] <= arrivals[i])
                ++started;
            sum += static_cast<double>(i + 1 - std::min(started, i + 1));
        }
        return sum / static_cast<double>(to - from);
    };
    line.early = meanLength(count / 3, count / 2);
    line.late = meanLength(count - count / 6, count);
    line.apart = arrivals[count - count / 12 - 1] - arrivals[count * 5 / 12];
    return line;
}

// Answers a second while the second half of the requests came in: what an overloaded service manages.
double managedRate(const Simulation& simulation)
{
    std::vector<double> arrivals;
    for (const Outcome& outcome : simulation.outcomes)
        if (outcome.state == Outcome::State::Done)
            arrivals.push_back(outcome.arrival.base());
    if (arrivals.size() < 2)
        return 0;
    std::sort(arrivals.begin(), arrivals.end());
    const double from = arrivals[arrivals.size() / 2];
    const double to = arrivals.back();
    const auto ended
        = std::count_if(simulation.outcomes.begin(), simulation.outcomes.end(), [&](const Outcome& o) {
              return o.state == Outcome::State::Done && o.end.base() > from && o.end.base() <= to;
          });
    return to > from ? static_cast<double>(ended) / (to - from) : 0;
}

// The most requests a second that arrived within any stretch of that length; 0 when the run is no longer than
// two.
double busiestRate(const Simulation& simulation, double stretch)
{
    std::vector<double> arrivals;
    for (const Outcome& outcome : simulation.outcomes)
        if (outcome.state != Outcome::State::Unfinished)
            arrivals.push_back(outcome.arrival.base());
    std::sort(arrivals.begin(), arrivals.end());
    if (arrivals.empty() || arrivals.back() - arrivals.front() < 2 * stretch)
        return 0;
    std::size_t most = 0;
    std::size_t first = 0;
    for (std::size_t last = 0; last < arrivals.size(); ++last) {
        while (arrivals[last] - arrivals[first] > stretch)
            ++first;
        most = std::max(most, last + 1 - first);
    }
    return static_cast<double>(most) / stretch;
}

// Of all that arrived.
struct Arrivals {
    double rate = 0; // 0: none that lasts
    Seconds span;
};

Arrivals arrivalsOf(const Simulation& simulation)
{
    double first = 0;
    double last = 0;
    double count = 0;
    for (const Outcome& outcome : simulation.outcomes) {
        if (outcome.state == Outcome::State::Unfinished)
            continue;
        first = count == 0 ? outcome.arrival.base() : std::min(first, outcome.arrival.base());
        last = std::max(last, outcome.arrival.base());
        ++count;
    }
    constexpr double least = 1; // second: less says nothing of a rate
    const double span = last - first;
    return {.rate = span >= least ? (count - 1) / span : 0, .span = Seconds(span)};
}

} // namespace

Message limitName(SteadyLimit limit)
{
    switch (limit) {
    case SteadyLimit::Load:
        return "load";
    case SteadyLimit::Slots:
        return "sequences at once";
    case SteadyLimit::Cache:
        return "KV cache";
    case SteadyLimit::Prefill:
        return "prompt tokens in each step";
    }
    return "load";
}

Capacity capacityOf(const ServingSetup& setup, const Workload& workload, double cachedShare)
{
    SteadyLoad load = meansOf(workload);
    load.cachedTokens = cachedShare * load.promptTokens;
    load.promptElsewhere = setup.prefill.has_value();
    const SteadyState answers = saturated(setup.pool, load);
    Capacity capacity{.rate = answers.requestRate * setup.pool.replicas, .limit = answers.limit};
    if (!setup.prefill)
        return capacity;
    load.promptElsewhere = false;
    load.outputTokens = 1;
    const SteadyState prompts = saturated(setup.prefill->pool, load);
    if (const RequestsPerSecond rate = prompts.requestRate * setup.prefill->pool.replicas;
        rate < capacity.rate)
        capacity = {.rate = rate, .limit = SteadyLimit::Prefill, .ofPrefillPool = true};
    return capacity;
}

Verdict judge(const ServingSetup& setup, const Workload& workload, const Simulation& simulation,
              const Measures& measures, std::optional<RequestsPerSecond> offered)
{
    const Capacity capacity = capacityOf(setup, workload, measures.cachedShare);
    Verdict verdict{.capacity = capacity.rate, .limit = capacity.limit};
    const Message limit = capacity.ofPrefillPool
        ? say("limited by {} of the prefill pool", limitName(capacity.limit))
        : say("limited by {}", limitName(capacity.limit));
    if (workload.users > 0) {
        verdict.reason = say("{} users wait for their answers, so no queue can grow; up to {} requests/s, {}",
                             workload.users, asIs(threeDigits(capacity.rate.base())), limit);
        return verdict;
    }
    if (workload.mostInFlight > 0) {
        verdict.reason
            = say("{} are in flight at most, so no queue can grow in the service; up to {} requests/s, {}",
                  workload.mostInFlight, asIs(threeDigits(capacity.rate.base())), limit);
        return verdict;
    }
    const Arrivals arrivals = arrivalsOf(simulation);
    verdict.offered = offered.value_or(RequestsPerSecond(arrivals.rate));
    if (verdict.offered.base() <= 0) {
        const Message can = asIs(threeDigits(capacity.rate.base()));
        verdict.reason = arrivals.span.base() > 0
            ? say("all requests come within {} s, which is no rate; {} requests/s can be served, {}",
                  asIs(threeDigits(arrivals.span.base())), can, limit)
            : say("all requests are there at the start; {} requests/s can be served, {}", can, limit);
        return verdict;
    }
    const double rate = verdict.offered.base();
    const Line line = watchLine(simulation);
    // A growing line gains a twentieth of all arrivals at least, and is not just one step's worth of them.
    const bool grows
        = line.apart > 0 && line.late > 20 && (line.late - line.early) / line.apart > 0.05 * rate;
    const double load = rate / capacity.rate.base();
    constexpr double minute = 60;
    const double busiestHour = busiestRate(simulation, secondsPerHour);
    const bool hourTooMuch = busiestHour > capacity.rate.base() * (1 + formTolerance);
    verdict.stable = !grows && !hourTooMuch && load <= 1 + formTolerance;
    if (!verdict.stable && load < 1
        && !hourTooMuch) // seen, though the means do not tell: what was managed can be
        verdict.capacity = RequestsPerSecond(std::min(managedRate(simulation), rate));
    if (verdict.stable && load > 1)
        verdict.capacity = verdict.offered;
    const double can = verdict.capacity.base();
    const auto [arriving, served] = apart(rate, can);
    if (!verdict.stable && load < 1 && hourTooMuch)
        verdict.reason
            = say("the queue grows in the busiest hour: {} requests/s arrive, {} can be served, {}",
                  apart(busiestHour, can).one, apart(busiestHour, can).other, limit);
    else if (!verdict.stable)
        verdict.reason = say("the queue grows without end: {} requests/s arrive, {} can be served, {}",
                             arriving, served, limit);
    else
        verdict.reason = say("{} requests/s arrive, up to {} can be served, {}", arriving, served, limit);
    if (const double busiestMinute = busiestRate(simulation, minute); verdict.stable && busiestMinute > can)
        verdict.reason = say("{}; its busiest minute brings {} requests/s, more than that, and a queue",
                             verdict.reason, apart(busiestMinute, can).one);
    return verdict;
}

} // namespace headroom::serve
