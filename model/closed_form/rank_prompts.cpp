// How prompts of users who take turns come to ranks that share experts and so step together.
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Where only the mean length is known, lengths are taken as uniform within a fifth of it.
constexpr double spreadOfLengths = 0.2;

// Integral of ceil(x) from 0 to x.
double sumOfCeilings(double x)
{
    const double whole = std::floor(x);
    return whole * (whole + 1) / 2 + (whole + 1) * (x - whole);
}

} // namespace

double promptsAtOnce(const Deployment& d, const Load& load)
{
    return std::max(1.0, load.batch / std::max(1.0, load.outputTokens - 1) / d.layout.dp);
}

// A sum of several lengths is taken as uniform, too, as wide as its variance says.
double meanSteps(double promptTokens, double budget, double prompts)
{
    if (budget <= 0 || promptTokens <= 0)
        return 1;
    const double spread = spreadOfLengths / std::sqrt(std::max(1.0, prompts));
    const double low = promptTokens * (1 - spread) / budget;
    const double high = promptTokens * (1 + spread) / budget;
    return (sumOfCeilings(high) - sumOfCeilings(low)) / (high - low);
}

double usersInStep(const Deployment& d, const Load& load)
{
    const double ranks = d.layout.dp;
    if (ranks <= 1 || load.openLoop || load.batch <= 1)
        return 0;
    const double differ = load.outputTokens * spreadOfLengths;
    const double newPrompt = newPromptTokens(load);
    const double ofRank = std::max(1.0, load.batch / ranks);
    const double steps = meanSteps(newPrompt * ofRank, stepBudget(d, newPrompt, 0), ofRank);
    constexpr double turns = 8; // by then whoever may fall out of step has done so
    return std::clamp(2 - differ, 0.0, 1.0) * std::pow(std::clamp(2 - steps, 0.0, 1.0), ranks * turns);
}

double promptStepsOfRank(const Deployment& d, const Load& load, double arriving)
{
    const double newPrompt = newPromptTokens(load);
    const double budget = stepBudget(d, newPrompt, 0);
    const double tokens = arriving / d.layout.dp * newPrompt;
    const double atOnce = promptsAtOnce(d, load);
    const double burst = newPrompt * atOnce;
    return budget > 0 ? tokens / burst * meanSteps(burst, budget, atOnce) : tokens / burst;
}

} // namespace headroom
