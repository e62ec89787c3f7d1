#include "model/serve/measures.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::serve {

namespace {

struct Lists {
    std::vector<double> ttft, tpot, latency, queue;

    void add(const RequestTimes& times, bool manyTokens)
    {
        ttft.push_back(times.ttft.base());
        latency.push_back(times.latency.base());
        queue.push_back(times.queue.base());
        if (manyTokens)
            tpot.push_back(times.tpot.base());
    }
};

// As a real service served it. Its queue is not known.
RequestTimes timesOf(const RecordedTimes& recorded, const Request& request)
{
    RequestTimes times;
    times.ttft = recorded.firstToken - request.arrival;
    times.latency = recorded.lastToken - request.arrival;
    if (request.outputTokens > 1)
        times.tpot = (recorded.lastToken - recorded.firstToken) / (request.outputTokens - 1);
    return times;
}

Spread spreadOf(const GapHistogram& gaps)
{
    return {.count = gaps.count(),
            .mean = gaps.mean(),
            .p50 = gaps.quantile(0.50),
            .p75 = gaps.quantile(0.75),
            .p90 = gaps.quantile(0.90),
            .p95 = gaps.quantile(0.95),
            .p99 = gaps.quantile(0.99)};
}

Seconds meanGap(const Simulation& simulation)
{
    Seconds sum;
    double count = 0;
    for (const ReplicaLog& log : simulation.replicas) {
        const auto gaps = static_cast<double>(log.gaps.count());
        sum += log.gaps.mean() * gaps;
        count += gaps;
    }
    return count > 0 ? sum / count : Seconds{};
}

Seconds meanStep(const Simulation& simulation)
{
    Seconds sum;
    std::int64_t count = 0;
    for (const ReplicaLog& log : simulation.replicas) {
        sum += log.busy;
        count += log.steps;
    }
    return count > 0 ? sum / static_cast<double>(count) : Seconds{};
}

// Share of the requests that are there before the first step: no step is under way that they could fall into.
double shareBeforeFirstStep(const Simulation& simulation)
{
    Seconds first = simulation.outcomes.empty() ? Seconds{} : simulation.outcomes.front().arrival;
    for (const Outcome& outcome : simulation.outcomes)
        first = std::min(first, outcome.arrival);
    const auto there = std::count_if(simulation.outcomes.begin(), simulation.outcomes.end(),
                                     [first](const Outcome& outcome) { return outcome.arrival == first; });
    return simulation.outcomes.empty() ? 0 : double(there) / double(simulation.outcomes.size());
}

// A usual step, times the share of requests that find the engine at work: what one more step before a new
// request is in one takes. Those who take turns find it busy with the others, never with themselves; those
// who come at any time find it as busy as it is; who finds it idle is seen at once.
Seconds gapAtWork(const Simulation& simulation, const Workload& workload)
{
    const auto replicas = static_cast<double>(simulation.replicas.size());
    const Seconds between = meanGap(simulation);
    const Seconds gap = between.base() > 0 ? between : meanStep(simulation); // answers of one token have none
    if (workload.users > 0)
        return gap * std::min(1.0, std::max(1.0, workload.users / replicas) - 1);
    double busy = 0;
    double last = 0;
    for (const ReplicaLog& log : simulation.replicas)
        busy += log.busy.base();
    for (const Outcome& outcome : simulation.outcomes)
        last = std::max(last, outcome.end.base());
    const double meets = 1 - shareBeforeFirstStep(simulation);
    return gap * (last > 0 ? std::min(1.0, busy / (last * replicas)) * meets : meets);
}

// Until the last that waits begins.
std::optional<QueuedRates> ratesWhileQueued(const Simulation& simulation, const Workload& workload)
{
    double lastStart = 0;
    double last = 0;
    for (const Outcome& outcome : simulation.outcomes)
        if (outcome.state == Outcome::State::Done) {
            lastStart = std::max(lastStart, outcome.start.base());
            last = std::max(last, outcome.end.base());
        }
    constexpr double third = 0.3;
    const bool atOnce = workload.users == 0 && shareBeforeFirstStep(simulation) == 1;
    if (!atOnce || lastStart <= third * last)
        return std::nullopt;
    double output = 0, prompt = 0, requests = 0;
    for (std::size_t i = 0; i < simulation.outcomes.size(); ++i) {
        const Outcome& o = simulation.outcomes[i];
        if (o.state != Outcome::State::Done)
            continue;
        const double first = o.firstToken.base();
        const double end = o.end.base();
        const double share = lastStart >= end ? 1
            : lastStart <= first              ? 0
                                              : (lastStart - first) / (end - first);
        output += share * workload.requests[i].outputTokens;
        prompt += lastStart >= first ? workload.requests[i].promptTokens : 0;
        requests += share;
    }
    return QueuedRates{TokensPerSecond(output / lastStart), TokensPerSecond(prompt / lastStart),
                       RequestsPerSecond(requests / lastStart)};
}

// Arrival of the first request that is measured. The first request of each user who takes turns finds a
// service that is not full yet, or comes with those of all others, as none does later: it is not measured
// where at least as many others are. Of a run that ended early the share is of the whole.
Seconds endOfWarmUp(const Simulation& simulation, const Workload& workload, double share)
{
    std::vector<double> arrivals;
    arrivals.reserve(simulation.outcomes.size());
    for (const Outcome& outcome : simulation.outcomes)
        if (outcome.state == Outcome::State::Done)
            arrivals.push_back(outcome.arrival.base());
    if (arrivals.empty())
        return {};
    const auto count = static_cast<std::ptrdiff_t>(
        simulation.broken || simulation.kept ? simulation.outcomes.size() : arrivals.size());
    auto skipped = static_cast<std::ptrdiff_t>(share * static_cast<double>(count));
    const auto users = static_cast<std::ptrdiff_t>(workload.users);
    if (share > 0 && 2 * users <= count)
        skipped = std::max(skipped, users);
    skipped = std::min(skipped, static_cast<std::ptrdiff_t>(arrivals.size()) - 1);
    std::nth_element(arrivals.begin(), arrivals.begin() + skipped, arrivals.end());
    return Seconds(arrivals[static_cast<std::size_t>(skipped)]);
}

void addReplicas(Measures& out, const Simulation& simulation, bool forVerdict)
{
    GapHistogram gaps;
    double runningSeconds = 0;
    double kvTokenSeconds = 0;
    double busy = 0;
    for (const ReplicaLog& log : simulation.replicas) {
        if (!forVerdict)
            gaps.add(log.gaps);
        runningSeconds += log.runningSeconds;
        kvTokenSeconds += log.kvTokenSeconds;
        busy += log.busy.base();
        out.peakKvTokens = std::max(out.peakKvTokens, log.peakKvTokens);
        out.steps += log.steps;
        out.preemptions += log.preemptions;
    }
    for (const ReplicaLog& log : simulation.prefillReplicas) {
        out.steps += log.steps;
        out.preemptions += log.preemptions;
    }
    if (busy > 0) {
        out.meanBatch = runningSeconds / busy * simulation.lanes; // a lane counts its own
        out.meanKvTokens = kvTokenSeconds / busy;
    }
    if (out.simulated.base() > 0)
        out.busy = busy / (out.simulated.base() * static_cast<double>(simulation.replicas.size()));
    out.interToken = spreadOf(gaps);
}

} // namespace

double percentileOf(const std::vector<double>& ascending, double p)
{
    if (ascending.empty())
        return 0;
    const double place = p / 100 * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    return ascending[below] + (place - std::floor(place)) * (ascending[above] - ascending[below]);
}

Spread spreadOf(std::vector<double> seconds, double judged)
{
    Spread spread{.count = static_cast<std::int64_t>(seconds.size())};
    if (seconds.empty())
        return spread;
    std::sort(seconds.begin(), seconds.end());
    spread.mean
        = Seconds(std::accumulate(seconds.begin(), seconds.end(), 0.0) / static_cast<double>(seconds.size()));
    spread.p50 = Seconds(percentileOf(seconds, 50));
    spread.p75 = Seconds(percentileOf(seconds, 75));
    spread.p90 = Seconds(percentileOf(seconds, 90));
    spread.p95 = Seconds(percentileOf(seconds, 95));
    spread.p99 = Seconds(percentileOf(seconds, 99));
    spread.judged = Seconds(percentileOf(seconds, judged));
    return spread;
}

RequestTimes timesOf(const Outcome& outcome, const Request& request, Seconds admission, double besideFirst)
{
    RequestTimes times;
    times.queue = outcome.start - outcome.arrival;
    times.ttft = admission + outcome.firstToken - outcome.arrival;
    times.latency = admission + outcome.end - outcome.arrival;
    if (request.outputTokens > 1)
        times.tpot = (outcome.end - outcome.firstToken) / (request.outputTokens - 1);
    times.ttft += times.tpot * std::min(besideFirst, double(request.outputTokens - 1));
    return times;
}

bool meets(const RequestTimes& times, const Request& request, const Targets& targets)
{
    const bool streams = request.outputTokens > 1;
    return (!targets.ttft || times.ttft <= *targets.ttft)
        && (!targets.latency || times.latency <= *targets.latency)
        && (!streams || !targets.tpot || times.tpot <= *targets.tpot)
        && (!streams || !targets.tokensPerSecond || times.tpot.base() * *targets.tokensPerSecond <= 1);
}

namespace {

// What is added up over the requests of a simulation.
struct Gathered {
    Lists all;
    Lists recorded;
    std::vector<double> clientTtft;
    std::vector<double> clientLatency;
    std::vector<Lists> lists; // of each class, as those below
    std::vector<std::int64_t> met;
    std::vector<std::int64_t> refused; // broken promises too
    double firstArrival = 0;
    double lastEnd = 0;
    double lastMeasuredEnd = 0;
    double outputTokens = 0;
    double promptTokens = 0;
    double cachedTokens = 0;
};

Gathered gather(Measures& out, const Simulation& simulation, const Workload& workload,
                const Surroundings& around)
{
    Gathered sum;
    sum.lists.resize(workload.classes.size());
    sum.met.resize(workload.classes.size());
    sum.refused.resize(workload.classes.size());
    for (std::size_t i = 0; i < workload.requests.size(); ++i) {
        const Outcome& outcome = simulation.outcomes[i];
        const Request& request = workload.requests[i];
        if (outcome.state == Outcome::State::Refused) {
            ++out.refused;
            ++sum.refused[request.classIndex];
        }
        if (outcome.state != Outcome::State::Done)
            continue;
        sum.firstArrival
            = out.finished == 0 ? outcome.arrival.base() : std::min(sum.firstArrival, outcome.arrival.base());
        sum.lastEnd = std::max(sum.lastEnd, outcome.end.base());
        ++out.finished;
        if (outcome.arrival < out.warmUp)
            continue;
        const RequestTimes times = timesOf(outcome, request, out.admission, around.besideFirst);
        const bool streams = request.outputTokens > 1;
        sum.all.add(times, streams);
        if (!workload.recorded.empty())
            sum.recorded.add(timesOf(workload.recorded[i], request), streams);
        sum.lists[request.classIndex].add(times, streams);
        sum.met[request.classIndex]
            += meets(times, request, workload.classes[request.classIndex].targets) ? 1 : 0;
        if (!around.forVerdict) {
            const Seconds outside = around.network + around.perPromptToken * request.promptTokens;
            sum.clientTtft.push_back((times.ttft + outside).base());
            sum.clientLatency.push_back((times.latency + outside).base());
        }
        sum.lastMeasuredEnd = std::max(sum.lastMeasuredEnd, outcome.end.base());
        sum.outputTokens += request.outputTokens;
        sum.promptTokens += request.promptTokens;
        sum.cachedTokens += outcome.cachedTokens;
    }
    return sum;
}

double shareOf(std::int64_t part, std::int64_t whole)
{
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 1;
}

ClassMeasures measuresOf(const RequestClass& cls, Lists&& lists, std::int64_t met, std::int64_t refused,
                         bool apart)
{
    ClassMeasures one;
    one.name = cls.name;
    one.promised = cls.targets.any();
    one.percentile = cls.targets.percentile;
    one.requests = static_cast<std::int64_t>(lists.latency.size());
    one.attainment = shareOf(met, one.requests + refused);
    if (apart) {
        one.ttft = serve::spreadOf(std::move(lists.ttft));
        one.tpot = serve::spreadOf(std::move(lists.tpot));
        one.latency = serve::spreadOf(std::move(lists.latency));
        one.queue = serve::spreadOf(std::move(lists.queue));
    }
    return one;
}

void addSpreads(Measures& out, Gathered& sum, double judged, bool forVerdict)
{
    out.ttft = serve::spreadOf(std::move(sum.all.ttft), judged);
    out.tpot = serve::spreadOf(std::move(sum.all.tpot), judged);
    out.latency = serve::spreadOf(std::move(sum.all.latency), judged);
    if (forVerdict)
        return;
    out.queue = serve::spreadOf(std::move(sum.all.queue));
    out.recordedTtft = serve::spreadOf(std::move(sum.recorded.ttft));
    out.recordedTpot = serve::spreadOf(std::move(sum.recorded.tpot));
    out.recordedLatency = serve::spreadOf(std::move(sum.recorded.latency));
    out.clientTtft = serve::spreadOf(std::move(sum.clientTtft));
    out.clientLatency = serve::spreadOf(std::move(sum.clientLatency));
    if (out.classes.size() == 1) {
        ClassMeasures& only = out.classes.front();
        only.ttft = out.ttft;
        only.tpot = out.tpot;
        only.latency = out.latency;
        only.queue = out.queue;
    }
}

} // namespace

Measures measure(const Simulation& simulation, const Workload& workload, const Surroundings& around)
{
    Measures out;
    out.requests = static_cast<std::int64_t>(workload.requests.size());
    out.partial = simulation.partial;
    out.gapAtWork = gapAtWork(simulation, workload);
    out.gap = meanGap(simulation);
    out.whileQueued = ratesWhileQueued(simulation, workload);
    out.warmUp = endOfWarmUp(simulation, workload, around.warmUp);
    out.admission = around.intake.host + out.gap * around.intake.handOverSteps;
    out.besideFirst = around.besideFirst;
    Gathered sum = gather(out, simulation, workload, around);
    out.simulated = Seconds(sum.lastEnd - sum.firstArrival);
    out.measured = static_cast<std::int64_t>(sum.all.latency.size());
    const double span = sum.lastMeasuredEnd - out.warmUp.base();
    const auto rate = [&](double count) { return span > 0 ? count / span : 0; };
    out.outputRate = TokensPerSecond(rate(sum.outputTokens));
    out.promptRate = TokensPerSecond(rate(sum.promptTokens));
    out.requestRate = RequestsPerSecond(rate(static_cast<double>(out.measured)));
    out.cachedShare = sum.promptTokens > 0 ? sum.cachedTokens / sum.promptTokens : 0;
    std::int64_t metInAll = 0;
    for (std::size_t c = 0; c < sum.lists.size(); ++c) {
        out.classes.push_back(measuresOf(workload.classes[c], std::move(sum.lists[c]), sum.met[c],
                                         sum.refused[c], sum.lists.size() > 1 && !around.forVerdict));
        out.classes.back().goodput = RequestsPerSecond(rate(static_cast<double>(sum.met[c])));
        metInAll += sum.met[c];
    }
    out.attainment = shareOf(metInAll, out.measured + out.refused);
    out.goodput = RequestsPerSecond(rate(static_cast<double>(metInAll)));
    addSpreads(out, sum, workload.classes.empty() ? 90 : workload.classes.front().targets.percentile,
               around.forVerdict);
    addReplicas(out, simulation, around.forVerdict);
    return out;
}

} // namespace headroom::serve
