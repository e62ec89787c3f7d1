#include "model/closed_form/steady_replica.h"

#include "model/closed_form/prefill_mixing.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::serve {

SteadyReplica::SteadyReplica(const StepTime& stepTime, const Scheduling& scheduling, const SteadyLoad& load,
                             Lanes lanes)
    : m_stepTime(stepTime),
      m_scheduling(scheduling),
      m_load(load),
      m_mixed(mixesPrompts(scheduling.kind)),
      m_lanes(lanes.busy),
      m_stages(lanes.stages),
      m_decodeSteps(std::max(load.outputTokens - 1, 0.0)
                    / (scheduling.speculation.meanYield() / (1 - scheduling.guided.forcedShare))),
      m_budget(scheduling.maxBatchedTokens > 0 ? static_cast<double>(scheduling.maxBatchedTokens)
                                               : std::numeric_limits<double>::max()),
      m_parts(scheduling.ranks > 1 ? std::max(1.0, load.newTokens() * scheduling.ranks / m_budget) : 1)
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
    const double sampled = prompts / m_parts;
    shape.sampledRows = rows * shape.decodeQueries + (promptTokens > 0 ? sampled : 0);
    return (m_stepTime(shape) + (rows + sampled) * m_scheduling.guided.maskPerRow).base();
}

double SteadyReplica::promptBudget(double decodes) const
{
    const double taken = m_mixed ? decodes * static_cast<double>(m_scheduling.decodeTokens()) : 0;
    return std::max(m_budget - taken, 1.0);
}

double SteadyReplica::promptSteps(double parts, double decodes) const
{
    const double beside = m_mixed ? decodes : 0;
    const double each = m_load.newTokens() / m_parts;
    if (each <= 0)
        return 0;
    // Without chunks a step takes whole prompts, at least one.
    const double budget = m_mixed || m_scheduling.splitsPrompts
        ? promptBudget(decodes)
        : std::max(1.0, std::floor(m_budget / each)) * each;
    const double full = std::floor(parts * each / budget);
    const double rest = parts * each - full * budget;
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
    if (m_lanes > 1)
        return gapAmongLanes(decodes);
    const double alone = stepSeconds(0, 0, decodes);
    if (m_decodeSteps <= 0)
        return alone;
    const double budget = promptBudget(decodes);
    const double prompts = decodes / m_decodeSteps * m_parts; // of a step, or parts of them
    // Chunks ride on decode steps: what they cost is what those steps take longer.
    const double each = m_load.newTokens() / m_parts;
    const auto stepsOf = [&](double count) { return std::ceil(count * each / budget - 1e-9); };
    return overPrompts(prompts, [&](double count) {
        if (count <= 0)
            return alone;
        if (!m_mixed)
            return alone + promptSteps(count, decodes);
        return promptSteps(count, decodes) - (stepsOf(count) - 1) * alone;
    });
}

// The same in one lane of a pipeline, whose passes wait for those of the others (prefill_mixing.h).
double SteadyReplica::gapAmongLanes(double decodes) const
{
    const double alone = stepSeconds(0, 0, decodes);
    const double each = m_load.newTokens() / m_parts;
    const double budget = promptBudget(decodes);
    const double prompts = m_decodeSteps > 0 ? decodes / m_decodeSteps * m_parts : 0;
    if (prompts <= 0 || each <= 0)
        return alone;
    const double parts = std::max(1.0, std::ceil(each / budget - 1e-9));
    if (m_mixed && parts <= 1) {
        const double felt = promptsFelt(prompts, budget / each, m_lanes);
        const double together = std::max(1.0, felt);
        return alone + (stepSeconds(together * each, together, decodes) - alone) * felt / together;
    }
    if (m_mixed) {
        const double share = prompts * parts;
        const double longer = stepSeconds(each / parts, 1, decodes) - alone;
        return alone + longer * (share < 1 ? slowedSteps(share, m_lanes, parts) : share);
    }
    // Prompts have passes of their own, during which the other lanes decode at their pace.
    const double together = std::max(1.0, std::min(prompts, budget / each));
    const double through = stepSeconds(together * each / parts, together, 0);
    const double passes = prompts * parts / together;
    const double share = passes / (1 + passes);
    const double longer = std::max(0.0, through - alone);
    return alone + through * passes + longer * ((slowedSteps(share, m_lanes, parts) - share) / (1 - share));
}

double SteadyReplica::promptPass(double decodes) const
{
    const double others = m_decodeSteps > 0 ? decodes / m_decodeSteps * m_parts : 0;
    const double each = m_load.newTokens() / m_parts;
    const double budget = promptBudget(decodes);
    const double one = overPrompts(others, [&](double beside) {
        if ((beside + 1) * each <= budget) // all in one step
            return promptSteps(beside + 1, decodes);
        return promptSteps(beside / 2 + 1, decodes); // half of the others come before
    });
    // The parts of a prompt follow one another through a pipeline.
    const double steps = std::max(1.0, std::ceil(each / budget - 1e-9));
    return m_parts * one * (m_stages > 1 ? (steps + m_stages - 1) / (steps * m_stages) : 1);
}

SteadyState SteadyReplica::atStatic(double running) const
{
    return {.requestRate = RequestsPerSecond(
                running / (wholePrompts(running, 0) + m_decodeSteps * stepSeconds(0, 0, running)))};
}

SteadyState SteadyReplica::at(double running) const
{
    if (keepsBatch(m_scheduling.kind))
        return atStatic(running);
    if (m_decodeSteps <= 0) // prompts only: what is there goes in one step
        return {.requestRate = RequestsPerSecond(running / wholePrompts(running, 0))};
    // Prompts must not need more tokens than the decodes leave of the budget.
    const double fullest = m_mixed
        ? m_budget / (m_load.newTokens() / m_decodeSteps + static_cast<double>(m_scheduling.decodeTokens()))
        : running;
    double decodes = std::min(running, fullest);
    double step = 0;
    for (int i = 0; i < 40; ++i) { // running = decodes + rate * pass, rate = decodes / (steps * step)
        step = gap(decodes);
        const double pass = promptPass(decodes);
        const double next = std::min(running / (1 + pass / (m_decodeSteps * step)), fullest);
        const double change = std::abs(next - decodes);
        constexpr int damped = 8; // the first rounds nearly always settle it; a swing is halved afterwards
        decodes = i < damped ? next : (decodes + next) / 2;
        if (change < 1e-4 * decodes)
            break;
    }
    const bool full = decodes >= 0.999 * fullest && m_mixed;
    return {RequestsPerSecond(decodes / (m_decodeSteps * step)),
            full ? SteadyLimit::Prefill : SteadyLimit::Load};
}

} // namespace headroom::serve
