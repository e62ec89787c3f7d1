#pragma once

#include "model/closed_form/prediction.h"

namespace headroom {

// How the prompts of a steady load get their turn among the steps of those who decode.

// Tokens of a prompt that no cache holds.
[[nodiscard]] double newPromptTokens(const Load& load);
// Whole prompts alone in a step.
[[nodiscard]] StepShape promptsStep(const Load& load, double prompts);

// The steps of one prompt while nobody else runs: one, or as many as an engine's budget makes of it. Parts
// are alike: each sees, besides what was cached, half of the others on average.
struct PromptSteps {
    StepShape each;
    double count = 1;
    bool flows = false; // no budget says how small chunks may be: they follow one another without a gap
};
[[nodiscard]] PromptSteps promptSteps(const Deployment& deployment, const Load& load);
// All of them; the parts follow one another through a pipeline.
[[nodiscard]] StepCost costOf(const StepTimer& timer, const PromptSteps& steps);

// What the steps that take prompts along take, and which share of all decode steps they are: above 1 when
// prompts need more steps than answers do.
struct PromptChunk {
    double tokens = 0; // of the parts of a pipeline together
    double parts = 1;
    double steps = 0;
};
// `arriving`: prompts for each decode step.
[[nodiscard]] PromptChunk promptChunk(const Deployment& deployment, const StepShape& decode, double newPrompt,
                                      double arriving);
[[nodiscard]] StepShape withChunk(const StepShape& decode, PromptChunk chunk, const Load& load);

// Passes of a pipeline wait for one another: while one of `lanes` is long, all go at its pace. The share of
// steps that are as long as a pass with prompts, of which each lane has such a share.
[[nodiscard]] double slowedSteps(double share, double lanes);

// Prompts of one step where an engine computes whole prompts between decode steps.
[[nodiscard]] double promptsTogether(const Deployment& deployment, double newPrompt, double arriving);

} // namespace headroom
