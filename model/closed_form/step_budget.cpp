#include "model/closed_form/step_budget.h"

#include "model/closed_form/prediction.h"
#include "model/count/operators.h"

#include <algorithm>
#include <cmath>

namespace headroom {

double stepBudget(const Deployment& deployment, double promptTokens, double running)
{
    const Engine& engine = *deployment.engine;
    const double most
        = double(engine.limitsFor(deployment.gpu->memoryUsable, deployment.gpu->family).maxBatchedTokens);
    if (engine.latent.promptsPerStep <= 0 || !deployment.llm->attendsLatently())
        return most;
    constexpr double margin = 64; // that the scripts add, and round up to
    const double needed
        = std::ceil((engine.latent.promptsPerStep * promptTokens + running + margin) / margin) * margin;
    return most > 0 ? std::min(most, needed) : needed;
}

double passesOfPrompts(const PromptRoom& room, double promptTokens, double lanes)
{
    const double most = std::min(room.budget > 0 ? room.budget : room.cache, room.cache);
    const double whole = std::max(1.0, std::floor(most / promptTokens)) * promptTokens;
    const double pass = room.splits ? std::min(std::max(most, 1.0), room.cache) : whole;
    return std::clamp(std::floor(room.cache / std::max(pass, 1.0)), 1.0, lanes);
}

double productsPerPair(const Deployment& deployment)
{
    if (!deployment.dynamicChunks)
        return 0;
    constexpr double tokens = 8192;
    double products = 0;
    double pairs = 0;
    forEachOperator(deployment, stageLayers(*deployment.llm, 1, 0),
                    {.prefillTokens = tokens, .prefillSequences = 1}, [&](const Op& op) {
                        const double seconds = deployment.gpu->has(op.unit)
                            ? op.count * op.flops.base() / deployment.gpu->peak(op.unit).base()
                            : 0;
                        (op.name == OpName::PrefillAttention ? pairs : products) += seconds;
                    });
    return pairs > 0 ? products / tokens / (pairs / (tokens * (tokens + 1) / 2)) : 0;
}

double stepsToFirstText(const Deployment& deployment)
{
    return deployment.llm->attendsLatently() ? deployment.engine->latent.answerSteps : 0;
}

double tokensBesideFirst(const Deployment& deployment, double outputTokens)
{
    return std::min(stepsToFirstText(deployment) * tokensPerStep(deployment.speculative),
                    std::max(0.0, outputTokens - 1));
}

} // namespace headroom
