#include "model/closed_form/prefill_mixing.h"

#include "model/closed_form/scheduling.h"
#include "model/closed_form/step_budget.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Tokens of one step over all ranks; 0: no budget.
double budgetOf(const Deployment& d, double promptTokens, double running)
{
    return stepBudget(d, promptTokens, running / d.layout.dp) * d.layout.dp;
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
    if (!mixesPrompts(d.engine->scheduler) && !d.engine->splitsPrompts)
        return out;
    const double newPrompt = out.each.prefillTokens;
    // A prompt runs on one of the ranks that share attention.
    const double budget = stepBudget(d, newPrompt, 0);
    out.flows = budget <= 0 && d.layout.pp > 1 && d.engine->pipelineMicroBatches;
    if (budget <= 0 || newPrompt <= budget)
        return out;
    out.count = std::ceil(newPrompt / budget);
    if (const double products = productsPerPair(d); products > 0) { // as many times what a first part takes
        const double past = out.each.prefillPast;
        const double asLong
            = newPrompt * (products + past + newPrompt / 2) / (budget * (products + past + budget / 2));
        const double part = serve::smoothParts * newPrompt / asLong + (1 - serve::smoothParts) * budget;
        out.count = std::ceil(newPrompt / part);
    }
    out.each.prefillTokens = newPrompt / out.count;
    out.each.prefillPast += (newPrompt - out.each.prefillTokens) / 2;
    out.each.sampledRows = 1 / out.count;
    return out;
}

StepCost costOf(const StepTimer& timer, const PromptSteps& steps)
{
    StepCost out = timer.cost(steps.each);
    if (steps.flows)
        out.latency = out.rate;
    if (steps.count <= 1)
        return out;
    const auto times = [](Estimate<Seconds>& time, double factor) { time = time * factor; };
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

double slowedSteps(double share, double lanes)
{
    return share < 1 && lanes > 1 ? 1 - std::pow(1 - share, lanes) : share;
}

// A scheduler fills a step up to its budget with the prompts that wait: a whole one now and then where they
// are few, never a little of one in each step. A full pipeline has a pass under way in each stage, with a
// budget and decodes of its own.
PromptChunk promptChunk(const Deployment& d, const StepShape& decode, double newPrompt, double arriving)
{
    const double parts = d.engine->pipelineMicroBatches ? d.layout.pp : 1;
    const double waiting = newPrompt * std::max(1.0, arriving / parts);
    const double decoded = decode.decodeSequences * decode.decodeQueries / parts;
    const double budget = budgetOf(d, newPrompt, decoded);
    const double one = budget > 0 ? std::min(waiting, std::max(1.0, budget - decoded)) : waiting;
    // The parts of one prompt go with the passes of as many lanes, one behind the other: all lanes go at
    // their pace once.
    const double together = std::min(std::ceil(newPrompt / one), parts);
    const double share = newPrompt * arriving / (one * parts);
    return {one * parts, parts, share < 1 ? std::max(share, slowedSteps(share / together, parts)) : share};
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
