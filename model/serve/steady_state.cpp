#include "model/serve/steady_state.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::serve {

namespace {
class SteadyReplica {
public:
    SteadyReplica(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load);

    // Sequences that slots and cache allow at once.
    [[nodiscard]] double roomFor() const { return m_room; }
    [[nodiscard]] SteadyLimit roomLimit() const { return m_roomLimit; }
    // With `running` sequences at once, always.
    [[nodiscard]] SteadyState at(double running) const;
    // Until `sequences` prompts that start together are through and their answers given, nobody joining.
    [[nodiscard]] double together(double sequences) const;
    // Until `count` requests that keep the batch full are answered, the last of them in a batch that drains.
    [[nodiscard]] double lasting(double count, const SteadyState& full) const;
    // Wait behind other prompts, relative to a prompt pass (M/D/1).
    [[nodiscard]] double promptQueue(double decoding) const;

private:
    [[nodiscard]] double stepSeconds(double promptTokens, double prompts, double decodes) const;
    [[nodiscard]] double promptBudget(double decodes) const;
    // Steps that carry the prompts of `prompts` requests beside `decodes` running ones, together.
    [[nodiscard]] double promptSteps(double prompts, double decodes) const;
    // Mean time between two steps of a decoding sequence.
    [[nodiscard]] double gap(double decodes) const;
    // From being scheduled to the first token.
    [[nodiscard]] double promptPass(double decodes) const;
    [[nodiscard]] double lengthPower() const;
    // Decode steps until `sequences` are through, of which a share (1 - x)^power lasts longer than x.
    [[nodiscard]] double shrinking(double sequences, double power) const;
    [[nodiscard]] SteadyState atStatic(double running) const;
    template <class Value>
    [[nodiscard]] double overPrompts(double mean, Value value) const;

    const StepTime& m_stepTime;
    const Scheduling& m_scheduling;
    SteadyLoad m_load;
    bool m_mixed;
    double m_yield;       // tokens of a decode step
    double m_decodeSteps; // of one request
    double m_budget;
    double m_room = 0;
    SteadyLimit m_roomLimit = SteadyLimit::Slots;
};

SteadyReplica::SteadyReplica(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load)
    : m_stepTime(stepTime),
      m_scheduling(scheduling),
      m_load(load),
      m_mixed(scheduling.kind == SchedulerKind::ChunkedPrefill),
      m_yield(scheduling.speculation.meanYield() / (1 - scheduling.guided.forcedShare)),
      m_decodeSteps(std::max(load.outputTokens - 1, 0.0) / m_yield),
      m_budget(scheduling.maxBatchedTokens > 0 ? static_cast<double>(scheduling.maxBatchedTokens)
                                               : std::numeric_limits<double>::max())
{
    const double beams = scheduling.beams;
    const double page = scheduling.pageTokens();
    const double answer = (scheduling.reservesAnswer() ? 1 : 0.5) * load.outputTokens;
    // What is in the prefix cache already is shared; each beam ends in a page that is half empty on average.
    const double held = load.promptTokens - load.cachedTokens + beams * (answer + (page - 1) / 2);
    const double byCache = static_cast<double>(scheduling.pages()) * page / held;
    const auto bySlots = static_cast<double>(scheduling.sequenceLimit());
    m_room = std::max(1.0, std::min(byCache, bySlots));
    m_roomLimit = byCache < bySlots ? SteadyLimit::Cache : SteadyLimit::Slots;
}

double SteadyReplica::stepSeconds(double promptTokens, double prompts, double decodes) const
{
    const double rows = decodes * m_scheduling.beams;
    StepShape shape;
    shape.prefillTokens = promptTokens;
    shape.prefillSequences = promptTokens > 0 ? std::max(prompts, 1.0) : 0;
    // A chunk of a longer prompt finds on average half of the rest before it.
    const double perPrompt = promptTokens > 0 ? promptTokens / shape.prefillSequences : 0;
    shape.prefillPast = m_load.cachedTokens + std::max(0.0, m_load.newTokens() - perPrompt) / 2;
    if (promptTokens <= 0)
        shape.prefillPast = 0;
    shape.decodeSequences = rows;
    shape.decodeQueries = 1 + m_scheduling.speculation.draftTokens;
    shape.decodeContext = rows > 0 ? m_load.context() : 0;
    shape.sampledRows = rows * shape.decodeQueries + (promptTokens > 0 ? prompts : 0);
    return (m_stepTime(shape) + (rows + prompts) * m_scheduling.guided.maskPerRow).base();
}

double SteadyReplica::promptBudget(double decodes) const
{
    const double taken = m_mixed ? decodes * static_cast<double>(m_scheduling.decodeTokens()) : 0;
    return std::max(m_budget - taken, 1.0);
}

double SteadyReplica::promptSteps(double prompts, double decodes) const
{
    const double beside = m_mixed ? decodes : 0;
    const double each = m_load.newTokens();
    if (each <= 0)
        return 0;
    // Without chunks a step takes whole prompts, at least one.
    const double budget = m_mixed ? promptBudget(decodes) : std::max(1.0, std::floor(m_budget / each)) * each;
    const double full = std::floor(prompts * each / budget);
    const double rest = prompts * each - full * budget;
    double time = full > 0 ? full * stepSeconds(budget, budget / each, beside) : 0;
    if (rest > 1e-9 * each)
        time += stepSeconds(rest, rest / each, beside);
    return time;
}

// Mean over a Poisson number of prompts; a large mean is as good as certain.
template <class Value>
double SteadyReplica::overPrompts(double mean, Value value) const
{
    constexpr double certain = 6;
    if (mean >= certain)
        return value(mean);
    double probability = std::exp(-mean);
    double left = 1;
    double sum = 0;
    for (double k = 0;; ++k) {
        if (left < 1e-3 || k > 4 * certain)
            return sum + std::max(left, 0.0) * value(k);
        sum += probability * value(k);
        left -= probability;
        probability *= mean / (k + 1);
    }
}

double SteadyReplica::gap(double decodes) const
{
    const double alone = stepSeconds(0, 0, decodes);
    if (m_decodeSteps <= 0)
        return alone;
    const double budget = promptBudget(decodes);
    return overPrompts(decodes / m_decodeSteps, [&](double prompts) {
        if (prompts <= 0)
            return alone;
        if (!m_mixed)
            return alone + promptSteps(prompts, decodes);
        // Chunks ride on decode steps: what they cost is what those steps take longer.
        const double steps = std::ceil(prompts * m_load.newTokens() / budget - 1e-9);
        return promptSteps(prompts, decodes) - (steps - 1) * alone;
    });
}

double SteadyReplica::promptPass(double decodes) const
{
    const double others = m_decodeSteps > 0 ? decodes / m_decodeSteps : 0;
    const double each = m_load.newTokens();
    const double budget = promptBudget(decodes);
    return overPrompts(others, [&](double beside) {
        if ((beside + 1) * each <= budget) // all in one step
            return promptSteps(beside + 1, decodes);
        return promptSteps(beside / 2 + 1, decodes); // half of the others come before
    });
}

double SteadyReplica::promptQueue(double decoding) const
{
    if (m_decodeSteps <= 0)
        return 0;
    const double busy
        = std::min(decoding / m_decodeSteps * m_load.newTokens() / promptBudget(decoding), 0.99);
    return m_mixed ? busy / (2 * (1 - busy)) : 0;
}

SteadyState SteadyReplica::atStatic(double running) const
{
    SteadyState state;
    const double prompts = promptSteps(running, 0);
    const double step = stepSeconds(0, 0, running);
    const double cycle = prompts + m_decodeSteps * step;
    state.ttft = Seconds(prompts);
    state.tpot = Seconds(step / m_yield);
    state.requestRate = RequestsPerSecond(running / cycle);
    state.decoding = running * (1 - prompts / cycle);
    state.running = running;
    return state;
}

SteadyState SteadyReplica::at(double running) const
{
    if (m_scheduling.kind == SchedulerKind::Static)
        return atStatic(running);
    SteadyState state;
    state.running = running;
    if (m_decodeSteps <= 0) { // prompts only: what is there goes in one step
        const double pass = promptSteps(running, 0);
        state.ttft = Seconds(pass);
        state.requestRate = RequestsPerSecond(running / pass);
        return state;
    }
    // Prompts must not need more tokens than the decodes leave of the budget.
    const double fullest = m_mixed
        ? m_budget / (m_load.newTokens() / m_decodeSteps + static_cast<double>(m_scheduling.decodeTokens()))
        : running;
    double decodes = std::min(running, fullest);
    double step = 0;
    double pass = 0;
    for (int i = 0; i < 40; ++i) { // running = decodes + rate * pass, rate = decodes / (steps * step)
        step = gap(decodes);
        pass = promptPass(decodes);
        const double next = std::min(running / (1 + pass / (m_decodeSteps * step)), fullest);
        const double change = std::abs(next - decodes);
        constexpr int damped = 8; // the first rounds nearly always settle it; a swing is halved afterwards
        decodes = i < damped ? next : (decodes + next) / 2;
        if (change < 1e-4 * decodes)
            break;
    }
    const double rate = decodes / (m_decodeSteps * step);
    if (decodes >= 0.999 * fullest && m_mixed)
        state.limit = SteadyLimit::Prefill;
    state.decoding = decodes;
    state.requestRate = RequestsPerSecond(rate);
    state.tpot = Seconds(step / m_yield);
    state.ttft = Seconds(std::max(pass, (running - decodes) / rate)); // Little's law
    return state;
}

// Answers between 0 and the longest, with the right mean: the share that lasts beyond a part x of the longest
// is
// (1 - x)^power, and power 0 means all alike.
double SteadyReplica::lengthPower() const
{
    return std::max(m_load.longestOutput / std::max(m_load.outputTokens, 1.0), 1.0) - 1;
}

double SteadyReplica::shrinking(double sequences, double power) const
{
    // Simpson's rule over eight parts of the longest answer's decode steps.
    constexpr int parts = 8;
    double sum = 0;
    for (int i = 0; i <= parts; ++i) {
        const double left = std::pow(1 - static_cast<double>(i) / parts, power);
        const double weight = i == 0 || i == parts ? 1 : (i % 2 == 1 ? 4 : 2);
        sum += weight * stepSeconds(0, 0, std::max(sequences * left, 1.0));
    }
    return m_decodeSteps * (lengthPower() + 1) * sum / (3 * parts);
}

double SteadyReplica::together(double sequences) const
{
    return promptSteps(sequences, 0) + shrinking(sequences, lengthPower());
}

double SteadyReplica::lasting(double count, const SteadyState& full) const
{
    // Fills: the first prompts run in packed steps, half of the batch decoding beside them on average.
    const double inside = full.running;
    const double beside = m_mixed ? inside / 2 : 0;
    const double filling = promptSteps(inside, beside);
    const double decoded = beside * inside * m_load.newTokens() / promptBudget(beside);
    // Holds until the last request has joined. Those inside then have on average a part 1 / (power + 2) of
    // the longest answer to go. What the fill left undone beyond that runs with the batch still full.
    const double holding = (count - inside) / full.requestRate.base();
    const double power = lengthPower();
    const double drained = inside * m_decodeSteps * (power + 1) / (power + 2);
    const double late = std::max(inside * m_decodeSteps - decoded - drained, 0.0) / inside;
    // Drains: those inside thin out as (1 - x)^(power + 1).
    return filling + holding + late * stepSeconds(0, 0, inside) + shrinking(inside, power + 1);
}

SteadyState completed(SteadyState state, const SteadyLoad& load)
{
    state.latency = state.queue + state.ttft + std::max(load.outputTokens - 1, 0.0) * state.tpot;
    state.ttft += state.queue;
    state.outputRate = state.requestRate * Tokens(load.outputTokens) / Requests(1);
    state.kvTokens = state.running * load.promptTokens + state.decoding * load.outputTokens / 2;
    return state;
}

// Chance that all `servers` are busy (Erlang C), for mean wait = chance * service / (servers - offered).
double erlangWaits(double servers, double offered)
{
    double blocked = 1; // Erlang B by its recursion
    for (double k = 1; k <= servers; ++k)
        blocked = offered * blocked / (k + offered * blocked);
    const double busy = offered / servers;
    return busy < 1 ? blocked / (1 - busy * (1 - blocked)) : 1;
}
} // namespace

double SteadyLoad::newTokens() const
{
    return promptElsewhere ? 0 : std::max(promptTokens - cachedTokens, 1.0);
}
double SteadyLoad::context() const
{
    return decodeContext > 0 ? decodeContext : promptTokens + outputTokens / 2;
}

SteadyLoad meansOf(const Workload& workload)
{
    SteadyLoad load{.promptTokens = 0, .outputTokens = 0};
    double context = 0;
    double decodes = 0;
    for (const Request& request : workload.requests) {
        load.promptTokens += request.promptTokens;
        load.outputTokens += request.outputTokens;
        const double steps = request.outputTokens - 1;
        context += steps * (request.promptTokens + (steps - 1) / 2);
        decodes += steps;
        load.longestOutput = std::max<double>(load.longestOutput, request.outputTokens);
    }
    const double count = std::max<double>(1, static_cast<double>(workload.requests.size()));
    load.promptTokens /= count;
    load.outputTokens /= count;
    load.decodeContext = decodes > 0 ? context / decodes : load.promptTokens;
    return load;
}

SteadyState steadySaturated(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load)
{
    const SteadyReplica replica(stepTime, scheduling, load);
    SteadyState state = replica.at(replica.roomFor());
    if (state.limit == SteadyLimit::Load)
        state.limit = replica.roomLimit();
    return completed(state, load);
}

SteadyState steadyClosedLoop(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                             double users, Seconds think)
{
    const SteadyReplica replica(stepTime, scheduling, load);
    const double room = replica.roomFor();
    SteadyState state = replica.at(std::min(users, room));
    if (think.base() > 0) { // users = inside + rate * think; the more inside, the higher the rate
        double low = 0;
        double high = users;
        for (int i = 0; i < 40 && high - low > 1e-4 * users; ++i) {
            const double inside = (low + high) / 2;
            state = replica.at(std::min(inside, room));
            (inside + state.requestRate.base() * think.base() < users ? low : high) = inside;
        }
        users -= state.requestRate.base() * think.base();
    }
    if (users > room) {
        state.queue = Seconds((users - room) / state.requestRate.base());
        if (state.limit == SteadyLimit::Load)
            state.limit = replica.roomLimit();
    }
    return completed(state, load);
}

SteadyState steadyOpenLoop(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                           RequestsPerSecond rate)
{
    const SteadyReplica replica(stepTime, scheduling, load);
    SteadyState full = steadySaturated(stepTime, scheduling, load);
    if (full.requestRate <= rate) {
        full.stable = false;
        return full;
    }
    double low = 0;
    double high = replica.roomFor();
    SteadyState state;
    for (int i = 0; i < 40 && high - low > 1e-4 * high; ++i) {
        const double running = (low + high) / 2;
        state = replica.at(running);
        (state.requestRate < rate ? low : high) = running;
    }
    // An arrival finds a step under way and waits for its end, half a step on average, behind other prompts,
    // and when every slot is taken for one to become free.
    const double yield = scheduling.speculation.meanYield() / (1 - scheduling.guided.forcedShare);
    const Seconds step = load.outputTokens > 1 ? state.tpot * yield : state.ttft;
    const double offered = std::min(state.running, 0.999 * replica.roomFor());
    const double service = offered / rate.base();
    const double waits = erlangWaits(std::floor(replica.roomFor()), offered);
    state.queue = (state.running > 1e-3 ? 0.5 : 0.0) * step + replica.promptQueue(state.decoding) * state.ttft
        + Seconds(waits * service / (replica.roomFor() - offered));
    return completed(state, load);
}

Seconds offlineTime(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                    std::int64_t requests)
{
    const SteadyReplica replica(stepTime, scheduling, load);
    const auto count = static_cast<double>(requests);
    const double room = replica.roomFor();
    if (count <= room)
        return Seconds(replica.together(count));
    if (scheduling.kind == SchedulerKind::Static)
        return Seconds(std::ceil(count / std::floor(room)) * replica.together(std::floor(room)));
    return Seconds(replica.lasting(count, steadySaturated(stepTime, scheduling, load)));
}

} // namespace headroom::serve
