// How prompts of users who take turns come to ranks that share experts and so step together.
#include "model/closed_form/mean_ceiling.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"
#include "model/count/expert_balance.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Of those the most that meet on one rank, as far as `room` goes. A request goes to the rank that has the
// fewest, which is where one has just ended: anywhere. j of them meet on a rank mean^j / j! / ranks^(j-1)
// times on average; whether they do at all is taken as if such meetings were a Poisson number.
double mostOnOneRank(double mean, double ranks, double room)
{
    if (room <= 1)
        return 1;
    const double any = -std::expm1(-mean);
    if (any <= 1e-6)
        return 1;
    double most = 1;
    double meetings = mean; // of j, so far of one
    constexpr int never = 64;
    for (int j = 2; j < never; ++j) {
        meetings *= mean / (j * ranks);
        const double chance = -std::expm1(-meetings / any);
        most += chance;
        if (chance < 1e-3 || most >= room)
            break;
    }
    return std::min(most, room);
}

// The same between whole numbers.
double largestOf(double draws)
{
    const double whole = std::floor(draws);
    const double few = expectedLargest(static_cast<int>(whole));
    return draws > whole ? few + (expectedLargest(static_cast<int>(whole) + 1) - few) * (draws - whole) : few;
}

// Deviation of the keys that the tokens of a full step see together, in squares of the length of a prompt.
// Prompts follow one another through steps of `room` tokens. A whole one of length n has n^2 / 2 keys, that
// is n / 2 for each of its tokens, and lengths are uniform: room / length prompts deviate by their variance.
// A cut at t of a prompt leaves t^2 - t less than as much of the mean; two cuts that are a share b of a
// length apart differ by a variance of (b (1 - b))^2 / 3, t being anywhere. Keys are counted twice.
double deviationOfKeys(double room, double length)
{
    const double lengths = room / length;
    const double apart = lengths - std::floor(lengths);
    const double cuts = apart * (1 - apart);
    return std::sqrt((spreadOfLengths * spreadOfLengths * lengths + cuts * cuts) / 3);
}

} // namespace

// Of so many with prompts of their own the longest is waited for; where prompts fill a step, and follow one
// another through steps, whose parts see most. A rank with one user begins each prompt by itself.
SlowestRank slowestRank(const RanksPrompts& p, double newPrompt)
{
    const double most = mostOnOneRank(p.arriving, p.ranks, std::min(p.room / p.part, p.askersOfRank));
    const double alike = std::clamp(p.together / most, 1.0, p.ranks); // ranks
    SlowestRank out{.tokens = most * p.part, .prompts = most * p.part / std::min(p.part, newPrompt)};
    const double spread = spreadOfLengths / std::sqrt(std::max(1.0, out.tokens / newPrompt));
    out.tokens = std::min(p.room, out.tokens * (1 + spread * (alike - 1) / (alike + 1)));
    if (out.tokens < p.room)
        return out;
    const double inBurst = std::clamp(p.begun / p.room - 1, 0.0, 1.0);
    const double behindOthers = std::min(1.0, p.filled * std::max(0.0, 1 - 1 / p.usersOfRank));
    out.further = std::max(inBurst, behindOthers) * largestOf(alike) * newPrompt * newPrompt
        * deviationOfKeys(p.room, newPrompt) / (2 * p.room);
    return out;
}

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
    return meanCeiling(promptTokens * (1 - spread) / budget, promptTokens * (1 + spread) / budget);
}

double usersInStep(const Deployment& d, const Load& load)
{
    const double ranks = d.layout.dp;
    if (ranks <= 1 || load.openLoop || load.batch <= 1 || d.engine->admissionSteps > 0)
        return 0;
    const double differ = load.outputTokens * spreadOfLengths;
    const double newPrompt = newPromptTokens(load);
    const double ofRank = std::max(1.0, load.batch / ranks);
    const double steps = meanSteps(newPrompt * ofRank, stepBudget(d, newPrompt, 0), ofRank);
    constexpr double turns = 8; // by then whoever may fall out of step has done so
    return std::clamp(2 - differ, 0.0, 1.0) * std::pow(std::clamp(2 - steps, 0.0, 1.0), ranks * turns);
}

// Of users who begin a turn together the first answers while the prompts behind his are computed, on the rank
// that has most to compute longest.
double promptsBehindInTurn(const Deployment& d, const Load& load)
{
    const double newPrompt = newPromptTokens(load);
    const double budget = stepBudget(d, newPrompt, 0);
    const double gaps = load.outputTokens - 1;
    if (budget <= 0 || gaps < 1)
        return 0;
    const double ranks = d.layout.dp;
    const double each = newPrompt / budget; // steps
    const double users = std::max(1.0, std::round(load.batch / ranks));
    const double longest = 1 + spreadOfLengths / std::sqrt(users) * (ranks - 1) / (ranks + 1);
    double behind = 0;
    for (double user = 1; user <= users; ++user)
        behind += std::clamp(users * each * longest - std::ceil(user * each), 0.0, gaps);
    return behind / users / gaps;
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
