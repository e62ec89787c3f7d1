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
