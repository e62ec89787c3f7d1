#include "app/probe/level_run.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom::probe {

namespace {

constexpr int requestsPerUser = 4;
constexpr int leastRequests = 16;
// The most requests of a level whose verdict four for each user leave open: enough to tell 86 % of requests
// in time from 90 %; and, for percentiles from the 98th on, 98 % from 99 %.
constexpr int mostToSettle = 320;
constexpr int mostToSettleHigh = 460;
constexpr double highPercentile = 98;
constexpr double checkEvery = 0.05;    // s; deadlines are no stopwatches
constexpr int mostNewAtOnce = 64;      // connections, so that a backlog of 128 holds them
constexpr int equalFailuresToStop = 8; // in a row, besides one for every eighth user
constexpr double warmUpShare = 0.1;    // of an open loop's requests, as in a simulation
constexpr double never = std::numeric_limits<double>::infinity();

int requestsOf(const ProbePlan& plan, const Load& load)
{
    const int users = load.requestsPerSecond > 0 ? 0 : load.users;
    return plan.requests > 0 ? plan.requests : std::max(leastRequests, requestsPerUser * users);
}

// Arrival times in seconds from the start: for the measured requests, and as many again that keep up the load
// until the last measured one is answered.
std::vector<double> arrivalsOf(const ProbePlan& plan, double rate, int requests)
{
    serve::Traffic traffic{.arrivals = plan.arrivals, .rate = RequestsPerSecond(rate)};
    traffic.requests = requests;
    traffic.seed = plan.seed;
    std::vector<double> times;
    if (const Result<serve::Workload> workload = serve::makeWorkload(traffic))
        for (const serve::Request& request : workload->requests)
            times.push_back(request.arrival.base());
    return times;
}

} // namespace

LevelRun::LevelRun(Transport& transport, const ProbePlan& plan, const Load& load, Settle settle,
                   StopAsked stop)
    : m_transport(transport), m_plan(plan), m_load(load), m_settle(settle), m_stop(std::move(stop))
{
    m_wanted = requestsOf(plan, load);
    m_warmUps = open() ? int(std::ceil(warmUpShare * m_wanted)) : load.users;
    if (open())
        m_arrivals = arrivalsOf(plan, load.requestsPerSecond, 2 * (m_wanted + m_warmUps));
}

LevelRun::~LevelRun()
{
    for (const Running& running : m_slots)
        if (running.call && !running.call->done())
            m_transport.drop(running.ticket);
}

void LevelRun::run()
{
    m_began = m_transport.now();
    m_useBefore = m_transport.use();
    while (!over()) {
        issue();
        const double now = m_transport.now();
        m_transport.turn(std::min(nextArrival(), now + checkEvery));
        reap();
        if (m_transport.now() >= m_nextCheck)
            check(m_transport.now());
    }
    m_windowEnded = m_transport.now();
    for (const Running& running : m_slots)
        if (running.call)
            countWindow(running);
    const ClientUse after = m_transport.use();
    m_use = {after.processorSeconds - m_useBefore.processorSeconds, after.lag};
}

bool LevelRun::over() const { return m_ended || m_measuredDone >= m_wanted; }

double LevelRun::nextArrival() const
{
    if (!open())
        return m_inFlight < m_load.users ? m_transport.now() : never;
    const auto next = static_cast<std::size_t>(m_started);
    return next < m_arrivals.size() ? m_began + m_arrivals[next] : never;
}

void LevelRun::issue()
{
    const int most = open() ? m_plan.mostInFlight : m_load.users;
    for (int started = 0; started < mostNewAtOnce && m_inFlight < most && !over(); ++started) {
        const double due = nextArrival();
        if (due > m_transport.now())
            return;
        begin(due);
    }
    if (open() && m_inFlight >= most && nextArrival() <= m_transport.now())
        end(LevelEnd::ClientLimit);
}

// Lengths follow the seed, texts also the run: see PromptWriter.
void LevelRun::begin(double due)
{
    const auto number = static_cast<std::uint64_t>(m_started);
    const auto level = static_cast<std::uint64_t>(m_load.users);
    std::mt19937_64 random(m_plan.seed * 1'000'003 + number + (level << 32U));
    Asked asked{.promptTokens = m_plan.prompt.sample(random), .outputTokens = m_plan.output.sample(random)};
    Running running;
    if (m_started < m_warmUps) {
        if (!open()) // the first answer of each user has a length of its own, from short to whole
            asked.outputTokens = std::ceil(asked.outputTokens * (m_started + 1) / m_warmUps);
    } else {
        running.role = m_measuredStarted < m_wanted ? Role::Measured : Role::Filler;
        if (!m_windowOpen)
            openWindow();
        m_measuredStarted += running.role == Role::Measured ? 1 : 0;
    }
    const std::string prompt = m_plan.prompts.prompt(asked.promptTokens, number + (level << 32U));
    asked.promptBytes = double(prompt.size());
    if (m_free.empty()) {
        m_free.push_back(m_slots.size());
        m_slots.emplace_back();
    }
    const std::size_t slot = m_free.back();
    m_free.pop_back();
    running.call
        = std::make_unique<Call>(asked, m_plan.secrets, due, [this, slot](Call&) { m_done.push_back(slot); });
    running.ticket = m_transport.start(
        {.path = "/v1/completions",
         .body = completionRequestJson(m_plan.model, prompt, std::int64_t(asked.outputTokens))},
        *running.call);
    m_slots[slot] = std::move(running);
    ++m_started;
    m_peak = std::max(m_peak, ++m_inFlight);
}

void LevelRun::openWindow()
{
    m_windowOpen = true;
    m_windowBegan = m_transport.now();
    for (Running& running : m_slots)
        running.piecesBefore = running.call ? running.call->piecesSoFar() : 0;
}

void LevelRun::countWindow(const Running& running)
{
    if (m_windowOpen)
        m_windowPieces += running.call->piecesSoFar() - running.piecesBefore;
}

void LevelRun::reap()
{
    for (const std::size_t slot : std::exchange(m_done, {})) {
        const Running running = std::move(m_slots[slot]);
        m_slots[slot] = {};
        m_free.push_back(slot);
        --m_inFlight;
        countWindow(running);
        if (!m_ended)
            record(running);
    }
    if (m_measuredDone >= m_wanted)
        settleOrEnd();
}

// Failed requests are never excused as warm-up.
void LevelRun::record(const Running& running)
{
    const CallResult& result = running.call->result();
    m_measuredDone += running.role == Role::Measured ? 1 : 0;
    if (running.role == Role::Filler && result.failure.kind == FailureKind::LevelDeadline)
        return;
    if (result.failure)
        return recordFailure(result.failure);
    m_lastFailure.clear();
    m_pieces += running.call->piecesSoFar();
    m_tokens += result.outputTokens;
    if (running.role == Role::Measured)
        m_calls.push_back(result);
}

void LevelRun::recordFailure(const Failure& failure)
{
    if (isClients(failure.kind)) {
        m_clientFailure = failure;
        return end(LevelEnd::ClientLimit);
    }
    m_calls.push_back({.failure = failure});
    if (failure.kind == FailureKind::LevelDeadline)
        return;
    m_equalFailures = failure.name() == m_lastFailure ? m_equalFailures + 1 : 1;
    m_lastFailure = failure.name();
    if (m_equalFailures >= equalFailuresToStop + (open() ? 0 : m_load.users / 8))
        end(LevelEnd::EqualFailures);
}

// What has arrived while this machine slept is heard before anybody is blamed for silence.
void LevelRun::check(double now)
{
    m_nextCheck = now + checkEvery;
    if (m_stop && m_stop())
        return end(LevelEnd::Interrupted);
    const bool levelOver = now - m_began > m_plan.deadlines.level;
    const auto late = [&](const Running& running) {
        return running.call && (levelOver || running.call->overdue(now, m_plan.deadlines));
    };
    if (std::none_of(m_slots.begin(), m_slots.end(), late))
        return;
    m_transport.turn(m_transport.now());
    for (const Running& running : m_slots) {
        if (!late(running) || running.call->done())
            continue;
        m_transport.drop(running.ticket);
        running.call->giveUp(levelOver
                                 ? Failure{FailureKind::LevelDeadline, 0, "not answered in the level's time"}
                                 : running.call->overdue(now, m_plan.deadlines));
    }
    reap();
    if (levelOver)
        end(LevelEnd::Deadline);
}

void LevelRun::end(LevelEnd why)
{
    if (std::exchange(m_ended, true))
        return;
    m_end = why;
}

// All measured requests are answered. If they do not decide, the requests that keep up the load are measured
// too, and more are sent. Which ones count is settled before they are answered, so the sample stays fair.
void LevelRun::settleOrEnd()
{
    const int all = int(m_calls.size());
    const int usual = m_plan.targets.percentile >= highPercentile ? mostToSettleHigh : mostToSettle;
    const int most = std::max(usual, m_wanted);
    if (m_ended || m_settle == Settle::No || m_plan.requests > 0 || !m_plan.targets.any() || all >= most)
        return;
    const auto met = std::count_if(m_calls.begin(), m_calls.end(), [&](const CallResult& call) {
        return probe::meets(call, m_plan.targets);
    });
    const serve::ShareInterval share = serve::shareAround(met, all);
    const double promised = m_plan.targets.percentile / 100;
    const bool looksMet = double(met) >= promised * all;
    if (share.low > promised || share.high < promised || (looksMet && m_settle == Settle::Misses))
        return;
    for (Running& running : m_slots)
        if (running.call && running.role == Role::Filler) {
            running.role = Role::Measured;
            ++m_measuredStarted;
        }
    m_wanted = std::max(m_measuredStarted, std::min(most, m_wanted + std::max(leastRequests, all)));
}

} // namespace headroom::probe
