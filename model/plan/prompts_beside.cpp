#include "model/plan/prompts_beside.h"

#include "model/plan/step_budget.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Tokens of one step over all ranks; 0: no budget.
double budgetOf(const Deployment& d, double promptTokens, double running)
{
    return stepBudget(d, promptTokens, running / d.layout.dp) * d.layout.dp;
}

// Parts of a full pipeline that take a prompt in a step that takes any. Where few come (at random, a Poisson
// law), most of such steps have one prompt: it passes all stages while the other parts wait for it.
double partsWithPrompts(double parts, double arriving)
{
    constexpr double few = 1e-6;
    const double together = arriving > few ? arriving / -std::expm1(-arriving) : 1;
    return std::min(parts, std::max(1.0, together));
}

} // namespace

double newPromptTokens(const Load& load)
{
    return std::max(1.0, load.promptTokens * (1 - load.prefixCached));
}

StepShape promptsStep(const Load& load, double prompts)
{
    const double newPrompt = newPromptTokens(load);
    return {.prefillTokens = newPrompt * prompts,
            .prefillSequences = prompts,
            .prefillPast = load.promptTokens - newPrompt,
            .sampledRows = prompts};
}

PromptSteps promptSteps(const Deployment& d, const Load& load)
{
    PromptSteps out{promptsStep(load, 1), 1};
    if (d.engine->scheduler != SchedulerKind::ChunkedPrefill)
        return out;
    const double newPrompt = out.each.prefillTokens;
    // A prompt runs on one of the ranks that share attention.
    const double budget = stepBudget(d, newPrompt, 0);
    if (budget <= 0 || newPrompt <= budget)
        return out;
    out.count = std::ceil(newPrompt / budget);
    out.each.prefillTokens = newPrompt / out.count;
    out.each.prefillPast += (newPrompt - out.each.prefillTokens) / 2;
    out.each.sampledRows = 1 / out.count;
    return out;
}

StepCost costOf(const StepTimer& timer, const PromptSteps& steps)
{
    StepCost out = timer.cost(steps.each);
    if (steps.count <= 1)
        return out;
    const auto times = [](Estimate<Seconds>& time, double factor) {
        time = {time.value * factor, time.low * factor, time.high * factor, time.source};
    };
    const bool follow = timer.deployment().engine->pipelineMicroBatches;
    const double passes = follow ? 1 + (steps.count - 1) * (out.rate.value / out.latency.value) : steps.count;
    times(out.latency, passes);
    times(out.rate, steps.count);
    for (Seconds* part : {&out.compute, &out.memory, &out.link, &out.launch, &out.host})
        *part = *part * steps.count;
    out.flops = out.flops * steps.count;
    out.bytes = out.bytes * steps.count;
    return out;
}

// A scheduler fills a step up to its budget with the prompts that wait: a whole one now and then where they
// are few, never a little of one in each step. A full pipeline has a step under way in each stage.
PromptChunk promptChunk(const Deployment& d, const StepShape& decode, double newPrompt, double arriving)
{
    const double parts = d.engine->pipelineMicroBatches ? d.layout.pp : 1;
    const double waiting = newPrompt * std::max(1.0, arriving / parts);
    const double decoded = decode.decodeSequences * decode.decodeQueries / parts;
    const double budget = budgetOf(d, newPrompt, decoded);
    const double one = budget > 0 ? std::min(waiting, std::max(1.0, budget - decoded)) : waiting;
    const double taking = partsWithPrompts(parts, arriving);
    return {one * taking, taking, newPrompt * arriving / (one * taking)};
}

StepShape withChunk(const StepShape& decode, PromptChunk chunk, const Load& load)
{
    const double newPrompt = newPromptTokens(load);
    StepShape mixed = decode;
    mixed.prefillTokens = chunk.tokens;
    mixed.prefillSequences = std::max(chunk.parts, chunk.tokens / newPrompt);
    // A part of a prompt sees, besides what was cached, half of the rest on average.
    mixed.prefillPast
        = load.promptTokens - newPrompt + std::max(0.0, newPrompt - chunk.tokens / chunk.parts) / 2;
    mixed.sampledRows += chunk.tokens / newPrompt;
    return mixed;
}

// Those that came during the last step, as far as the budget goes.
double promptsTogether(const Deployment& d, double newPrompt, double arriving)
{
    const double budget = budgetOf(d, newPrompt, 0);
    return std::max(1.0, budget > 0 ? std::min(arriving, budget / newPrompt) : arriving);
}

} // namespace headroom
