// How many steps are between two requests of one user: those of his answer, and those that pass before it.
#include "model/closed_form/gathered_users.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/scheduling.h"
#include "model/closed_form/step_budget.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

double roundsBeside(const Deployment& d, const Load& load, double lanes)
{
    const double output = std::max(load.outputTokens, 1.0);
    if (!mixesPrompts(d.engine->scheduler))
        return std::max(output - 1, 1.0);
    if (lanes > 1)
        return output + (promptSteps(d, load).count - 1) / lanes;
    if (d.layout.dp == 1)
        return output;
    return output + meanSteps(newPromptTokens(load), stepBudget(d, newPromptTokens(load), 0)) - 1;
}

} // namespace

double roundsOfRequest(const Deployment& d, const Load& load) { return turnsOf(d, load).rounds; }

double stepsWaited(const Deployment& d, const Load& load)
{
    // Nobody else, or all in step: the engine idles and looks at once.
    const double unseen = d.engine->stepsToAdmission(d.gpu->memoryUsable, d.gpu->family, load.batch)
        * std::clamp(load.batch - 1, 0.0, 1.0) * (1 - usersInStep(d, load));
    if (!waitsForSteps(d, load))
        return unseen;
    if (mixesPrompts(d.engine->scheduler)) // who is read by the host asks in the middle of a step
        return unseen + (hostOfRequest(d, load) > Seconds() ? 0.5 : 0);
    // One's own burst is not counted for.
    return d.layout.dp == 1 ? unseen * (1 - 1 / burstsOfUsers(d, load, 0)) : unseen;
}

namespace {

// Prompts of a rank wait for one another as those of a pipeline do.
double waitedForOthers(const Deployment& d, const Load& load, double rounds)
{
    const double users = std::max(1.0, load.batch / d.layout.dp);
    const double newPrompt = newPromptTokens(load);
    const double budget = stepBudget(d, newPrompt, 0);
    const double filled = budget > 0 ? users * newPrompt / budget / rounds * tokensPerStep(d.speculative) : 0;
    return rounds * (cycleInLine(users, filled) - 1);
}

// Of an engine that gives prompts steps of their own some of the steps that a request waits are of them: with
// w of its steps, and p steps for each prompt, n users have x prompts for each step of decodes, of which an
// answer has a: n = x (a + w / (1 + x p)).
double waitedAmongPrompts(const Deployment& d, const Load& load, double rounds, double waits)
{
    const double users = load.batch / d.layout.dp;
    const double newPrompt = newPromptTokens(load);
    const double budget = stepBudget(d, newPrompt, 0);
    const double together = d.layout.dp > 1 ? promptsAtOnce(d, load)
        : waitsForSteps(d, load)            ? users / burstsOfUsers(d, load, 0)
                                            : 1;
    const double each = std::max(budget > 0 ? newPrompt / budget : 0.0, 1 / std::max(1.0, together));
    const double half = (rounds + waits - users * each) / 2;
    const double square = rounds * each;
    const double coming = (std::sqrt(half * half + square * users) - half) / square;
    return waits / (1 + coming * each);
}

} // namespace

Turns turnsOf(const Deployment& d, const Load& load)
{
    const double lanes = busyLanes(d, load);
    Turns out{lanes, roundsBeside(d, load, lanes)};
    if (d.layout.pp > 1 || load.promptElsewhere || keepsBatch(d.engine->scheduler))
        return out;
    const double waits = stepsWaited(d, load);
    const double among = mixesPrompts(d.engine->scheduler) || waits <= 0
        ? waits
        : waitedAmongPrompts(d, load, out.rounds, waits);
    out.waited = among * tokensPerStep(d.speculative);
    if (d.layout.dp > 1 && mixesPrompts(d.engine->scheduler) && waitsForSteps(d, load))
        out.waited += waitedForOthers(d, load, out.rounds + out.waited);
    return out;
}

} // namespace headroom
