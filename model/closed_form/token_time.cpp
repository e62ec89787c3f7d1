#include "model/closed_form/token_time.h"

#include "model/closed_form/gathered_users.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// Prompts that begin at once, of users who share passes for prompts.
struct Burst {
    double users = 1;   // of a lane, or of a rank
    double prompts = 1; // of these users that begin together
    double passes = 1;  // that these prompts fill, one's own among them
    double steps = 1;   // until the last pass of all is through
    double lanes = 1;   // that do so side by side
    bool cut = false;   // a prompt may end anywhere in a pass

    // Of the time that a burst takes the part that stands behind one's own prompt, on average. A prompt ends
    // with its pass, half a pass late; behind the last one stands none. The passes of all lanes follow one
    // another; the last of them goes on through the other stages, and decodes behind it.
    [[nodiscard]] double behind() const
    {
        const double left = behindLast() * (lanes * (steps - passes / 2) - late);
        return std::max(0.0, left) / (lanes * steps + lanes - 1);
    }
    // The same of the passes that are full, of one lane, and of what is behind all of them.
    [[nodiscard]] double behindOfFull() const { return std::max(0.0, behindLast() * (0.5 - late / passes)); }
    [[nodiscard]] double behindLast() const
    {
        const double all = lanes * prompts;
        return cut ? (all - 1) / all : 1;
    }
    // Of all prompts those between one's own tokens, where the others' begin at other times but for its
    // burst, of which so many are.
    [[nodiscard]] double between(double ofOwn) const
    {
        const double own = std::min(1.0, prompts / users);
        return 1 - own + own * ofOwn;
    }

    static constexpr double late = 0.5; // passes
};

// How many of a lane's users begin together: in each step as many as it takes for all to have a turn in an
// answer's steps.
Burst burstOf(const Deployment& d, const Load& load, double users, double lanes)
{
    Burst out{.users = std::max(1.0, users), .lanes = lanes, .cut = d.engine->splitsPrompts};
    out.prompts = std::max(1.0, out.users / std::max(1.0, load.outputTokens - 1));
    const double newPrompt = newPromptTokens(load);
    const double budget = stepBudget(d, newPrompt, 0);
    if (budget > 0 && out.cut)
        out.passes = std::max(1.0, out.prompts * newPrompt / budget);
    else if (budget > 0)
        out.passes = std::max(1.0, out.prompts / std::max(1.0, std::min(out.prompts, budget / newPrompt)));
    // Where each lane takes all of its prompts at once, they end together.
    out.cut = out.cut && (lanes <= 1 || out.passes > 1);
    // Ranks wait for one another: a step that is not full takes as long as the fullest.
    out.steps = d.layout.dp > 1 && out.cut
        ? std::max(out.passes, meanSteps(out.prompts * newPrompt, budget, out.prompts))
        : out.passes;
    return out;
}

// How much shorter a step with prompts of the others is than one that may have one's own besides: two users
// on two ranks never meet two prompts. Where that is nothing, nothing is timed.
double ofOthers(const Deployment& d, const StepShape& decode, const Load& load, const PromptChunk& others,
                const PromptChunk& all)
{
    constexpr double much = 0.01;
    if (d.layout.dp <= 1 || others.tokens >= all.tokens * (1 - much))
        return 1;
    const StepTimer timer(d);
    const auto step = [&](const PromptChunk& chunk) { return timer.rate(withChunk(d, decode, chunk, load)); };
    return std::min(1.0, step(others) / step(all));
}

// The steps of so many of the users that have prompts beside decodes.
PromptChunk chunkBeside(const Deployment& d, const Load& load, double users, double inStep)
{
    const Turns turns = turnsOf(d, load);
    Load those = load;
    those.batch = users;
    const PromptsComing coming{.arriving
                               = users / (turns.rounds + turns.waited) * tokensPerStep(d.speculative),
                               .lanes = turns.lanes,
                               .users = users,
                               .inStep = inStep};
    return promptChunk(d, decodeStep(d, those), newPromptTokens(load), coming);
}

// Where prompts fill all steps the next one begins behind one's own: the tokens of a short answer see its
// first parts, which have fewer keys to look at than parts have in the mean. How much shorter such steps are.
double ofFirstParts(const Deployment& d, const StepShape& decode, const Load& load, const PromptChunk& all,
                    double lanes)
{
    const double gaps = load.outputTokens - 1;
    const double newPrompt = newPromptTokens(load);
    if (d.layout.dp > 1 || d.dynamicChunks || all.turns <= 1 || gaps >= all.turns)
        return 1;
    const double part = newPrompt / all.turns;
    // The next prompt began anywhere in the step of one's own last part.
    const double before = gaps * part / 2;
    const double inTheMean = (newPrompt - part) / 2;
    if (before >= inTheMean)
        return 1;
    const StepTimer timer(d);
    const StepShape mean = withChunk(d, decode, all, load);
    StepShape first = mean;
    first.prefillPast = std::max(0.0, first.prefillPast - (inTheMean - before));
    return timer.rateWithInterval(first, lanes).value / timer.rateWithInterval(mean, lanes).value;
}

// Of the steps of those who decode some have prompts: of all in the mean, of one fewer where one of them
// decodes, for he meets the others as they would be among themselves (Reiser, Lavenberg: JACM 27, 1980).
// Where prompts fill all steps nothing is left for him to take away.
Estimate<Seconds> tokenTimeBesideChunks(const Deployment& d, const Load& load, const Estimate<Seconds>& alone,
                                        const Estimate<Seconds>& slowed)
{
    const double inStep = usersInStep(d, load);
    const PromptChunk all = chunkBeside(d, load, load.batch, inStep);
    const PromptChunk others = chunkBeside(d, load, load.batch - 1, 0);
    const bool pipeline = turnsOf(d, load).lanes > 1;
    const double share = std::min(1.0, pipeline ? all.filled : all.steps);
    const double met = std::min(1.0, pipeline ? others.filled : others.steps);
    const double fewer = share > 0 ? std::min(1.0, met / share) : 1.0;
    const double first
        = met >= 1 ? ofFirstParts(d, decodeStep(d, load), load, all, turnsOf(d, load).lanes) : 1;
    const Estimate<Seconds> time = between(alone, slowed, fewer) * first;
    const double shorter = ofOthers(d, decodeStep(d, load), load, others, all);
    // The steps that have prompts are so much shorter, the others are not.
    const Estimate<Seconds> apart = sum(time * shorter, alone, (1 - shorter) * (1 - met));
    return inStep > 0 ? between(apart, between(alone, slowed, promptsBehindInTurn(d, load)), inStep) : apart;
}

// A rank decodes in steps that may have prompts of the other ranks, and stands still in those of its own.
// Users who move in step decode when nobody has a prompt.
Estimate<Seconds> tokenTimeOfRank(const Deployment& d, const Load& load, const Estimate<Seconds>& alone,
                                  const Estimate<Seconds>& slowed)
{
    const double ranks = d.layout.dp;
    const Burst burst = burstOf(d, load, load.batch / ranks, 1);
    const double inStep = usersInStep(d, load);
    const Turns turns = turnsOf(d, load);
    const double arriving = load.batch / (turns.rounds + turns.waited) * tokensPerStep(d.speculative);
    const double own = promptStepsOfRank(d, load, arriving);
    // Long are the steps in which some rank fills its budget: decodes beside another rank's prompt, and those
    // of the rank's own.
    const double full = burst.passes / burst.steps; // of a rank's steps of prompts
    const double nobody = std::pow(1 - full * own / (1 + own), ranks - 1);
    const double longSteps = 1 - nobody + own * (1 - (1 - full) * nobody);
    const auto chunkOf = [&](double share) {
        return promptChunk(d, {}, newPromptTokens(load),
                           {.arriving = share * arriving / (1 + own),
                            .users = share * load.batch,
                            .atOnce = promptsAtOnce(d, load)});
    };
    const double shorter = ofOthers(d, {}, load, chunkOf((ranks - 1) / ranks), chunkOf(1));
    // A turn is one step of decodes and `own` steps of prompts. A long step takes what the short ones leave
    // of it: (turn - alone * (1 + own - longSteps)) / longSteps.
    const double beside = (1 - nobody) * shorter / longSteps;
    const Estimate<Seconds> decoding
        = sum(alone * std::max(0.0, nobody - beside * (1 + own - longSteps)), slowed, beside);
    // Steps of its own that its prompts do not fill last as those of decodes.
    const double unfilled = own * (1 - full);
    const double filled = burst.between(burst.behindOfFull());
    const double rest = burst.between(burst.behindLast());
    const Estimate<Seconds> apart
        = sum(decoding * std::max(0.0, 1 - filled + unfilled * (rest - filled)), slowed, filled);
    return between(apart, between(alone, slowed, burst.between(burst.behind())), inStep);
}

} // namespace

double shareOfOthers(double users, bool openLoop)
{
    if (openLoop)
        return std::clamp(users, 0.0, 1.0);
    const double batch = std::max(1.0, users);
    return (batch - 1) / batch;
}

namespace {

// Of users who are not all gathered by the steps before admission.
Estimate<Seconds> tokenTimeApart(const Deployment& d, const Load& load, double users,
                                 const Estimate<Seconds>& alone, const Estimate<Seconds>& underLoad)
{
    // Prompts between tokens never make tokens faster.
    const Estimate<Seconds>& slowed = underLoad.value > alone.value ? underLoad : alone;
    const double others = shareOfOthers(users, load.openLoop);
    if (load.openLoop || load.promptElsewhere || users <= 1)
        return between(alone, slowed, others);
    if (keepsBatch(d.engine->scheduler)) // its tokens begin when all prompts are computed
        return alone;
    Load taken = load;
    taken.batch = std::max(1.0, users);
    if (mixesPrompts(d.engine->scheduler))
        return tokenTimeBesideChunks(d, taken, alone, slowed);
    const double lanes = busyLanes(d, taken);
    if (d.layout.dp > 1 && lanes <= 1)
        return tokenTimeOfRank(d, taken, alone, slowed);
    const Burst burst = burstOf(d, taken, taken.batch / lanes, lanes);
    if (lanes <= 1)
        return between(alone, slowed, burst.between(burst.behind()));
    // Where an answer has more steps than one, the other lanes' bursts begin at other times.
    const double together = 1 / std::max(1.0, load.outputTokens - 1);
    return between(alone, slowed, others * (1 - together) + burst.behind() * together);
}

// Of the prompts that a user's request is there for, those between his tokens.
Estimate<Seconds> tokenTimeOfBursts(const Deployment& d, const Load& load, const Estimate<Seconds>& alone,
                                    const Estimate<Seconds>& underLoad)
{
    const Turns turns = turnsOf(d, load);
    const double host = hostOfRequest(d, load) / alone.value;
    const double gaps = load.outputTokens - 1;
    return between(alone, underLoad,
                   promptsBetweenTokens(d, load, host) * (turns.rounds + turns.waited) / gaps);
}

} // namespace

Estimate<Seconds> tokenTimeBeside(const Deployment& d, const Load& load, double users,
                                  const Estimate<Seconds>& alone, const Estimate<Seconds>& underLoad,
                                  const Gathered& gathered)
{
    if (gathered.share >= 1)
        return gathered.tpot;
    Estimate<Seconds> apart = tokenTimeApart(d, load, users, alone, underLoad);
    Load taken = load;
    taken.batch = users;
    if (waitsForSteps(d, taken) && d.layout.dp == 1 && underLoad.value > alone.value) {
        const Estimate<Seconds> bursts = tokenTimeOfBursts(d, taken, alone, underLoad);
        // The more of the steps prompts fill, the less a burst stands out.
        const double filled
            = mixesPrompts(d.engine->scheduler) ? std::min(1.0, chunkBeside(d, taken, users, 0).filled) : 0;
        if (bursts.value < apart.value)
            apart = between(bursts, apart, filled * filled * filled);
    }
    return gathered.share > 0 ? between(apart, gathered.tpot, gathered.share) : apart;
}

} // namespace headroom
