#include "model/closed_form/token_time.h"

#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"

#include <algorithm>

namespace headroom {

namespace {

// Prompts that begin at once, of users who share passes for prompts.
struct Burst {
    double users = 1;    // of a lane, or of a rank
    double together = 1; // whose prompts one pass takes
    double passes = 1;   // that prompts which begin at once fill, one's own among them
    double lanes = 1;    // that do so side by side

    // Of the time that a burst takes the part that stands behind one's own prompt, on average. The passes of
    // all lanes follow one another; the last of them goes on through the other stages, and decodes behind it.
    [[nodiscard]] double behind() const { return (lanes * passes - 1) / 2 / (lanes * passes + lanes - 1); }
    // Of all prompts those between one's own tokens, where the others' begin at other times but for its
    // burst.
    [[nodiscard]] double between() const
    {
        const double own = std::min(1.0, passes * together / users);
        return 1 - own + own * behind();
    }
};

// How many of a lane's users begin together: in each step as many as it takes for all to have a turn in an
// answer's steps.
Burst burstOf(const Deployment& d, const Load& load, double users, double lanes)
{
    Burst out{.users = std::max(1.0, users), .lanes = lanes};
    const double atOnce = out.users / std::max(1.0, load.outputTokens - 1);
    const double newPrompt = newPromptTokens(load);
    const double budget = stepBudget(d, newPrompt, 0);
    out.together = std::max(1.0, budget > 0 ? std::min(atOnce, budget / newPrompt) : atOnce);
    out.passes = std::max(1.0, atOnce / out.together);
    return out;
}

} // namespace

double shareOfOthers(double users, bool openLoop)
{
    if (openLoop)
        return std::clamp(users, 0.0, 1.0);
    const double batch = std::max(1.0, users);
    return (batch - 1) / batch;
}

Estimate<Seconds> tokenTimeBeside(const Deployment& d, const Load& load, double users,
                                  const Estimate<Seconds>& alone, const Estimate<Seconds>& underLoad)
{
    // Prompts between tokens never make tokens faster.
    const Estimate<Seconds>& slowed = underLoad.value > alone.value ? underLoad : alone;
    const double others = shareOfOthers(users, load.openLoop);
    if (load.openLoop || load.promptElsewhere || mixesPrompts(d.engine->scheduler)
        || keepsBatch(d.engine->scheduler))
        return between(alone, slowed, others);
    Load taken = load;
    taken.batch = std::max(1.0, users);
    const double lanes = busyLanes(d, taken);
    if (d.layout.dp > 1 && lanes <= 1) {
        // A rank decodes in the others' steps, and stands still in those of its own prompts. Users who move
        // in step decode when nobody has a prompt.
        const Burst burst = burstOf(d, taken, taken.batch / d.layout.dp, 1);
        const double own = promptStepsOfRank(d, taken, taken.batch / std::max(1.0, load.outputTokens - 1));
        const double inStep = usersInStep(d, taken);
        const double apart = (1 + own * burst.between()) / (1 + own);
        return sum(between(alone, slowed, burst.between()) * inStep, slowed, apart * (1 - inStep));
    }
    const Burst burst = burstOf(d, taken, taken.batch / lanes, lanes);
    if (lanes <= 1)
        return between(alone, slowed, burst.between());
    // Where an answer has more steps than one, the other lanes' bursts begin at other times.
    const double together = 1 / std::max(1.0, load.outputTokens - 1);
    return between(alone, slowed, others * (1 - together) + burst.behind() * together);
}

} // namespace headroom
