#pragma once

#include "model/closed_form/prediction.h"

#include <optional>

namespace headroom {

// How the prompts of a steady load get their turn among the steps of those who decode.

// Where only the mean length is known, lengths are taken as uniform within a fifth of it.
constexpr double spreadOfLengths = 0.2;

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
    std::optional<StepShape> beforeLast, last; // of parts that are as long as the budget lets them be
};
[[nodiscard]] PromptSteps promptSteps(const Deployment& deployment, const Load& load);
// All of them; the parts follow one another through a pipeline.
[[nodiscard]] StepCost costOf(const StepTimer& timer, const PromptSteps& steps);

// Of ranks that share experts the one that all wait for in a step with prompts.
struct SlowestRank {
    double tokens = 0; // of prompts; 0: one rank
    double prompts = 0;
    double further = 0; // tokens that its parts have before them, more than parts have in the mean
};
struct RanksPrompts {
    double arriving = 0;     // parts for each step, as many as begin together
    double together = 1;     // of them, where there are any
    double part = 1;         // tokens that a rank begins in one step
    double begun = 1;        // tokens that it begins together, however many steps they take
    double room = 1;         // for tokens of prompts, in a step of one rank
    double filled = 0;       // of all rooms, by prompts
    double ranks = 1;        // that share experts
    double askersOfRank = 1; // who begin by themselves
    double usersOfRank = 1;
};
[[nodiscard]] SlowestRank slowestRank(const RanksPrompts& prompts, double newPrompt);

// What the steps that take prompts along take, and which share of all decode steps they are: above 1 when
// prompts need more steps than answers do.
struct PromptChunk {
    double tokens = 0; // of the parts of a pipeline together
    double parts = 1;
    double steps = 0;
    double held = 0;     // entries in a row that prompts hold up; without end where prompts fill all
    double filled = 0;   // of what the budgets of a pipeline's passes hold; above 1 when prompts need more
    double turns = 1;    // passes that a prompt fills
    double prompts = 1;  // that the tokens are of
    SlowestRank slowest; // of several that share experts
};
struct PromptsComing {
    double arriving = 0; // for each decode step, of all lanes together
    double lanes = 1;
    double gathered = 1; // steps whose prompts begin in the same one, where ranks share experts
    double users = 1;    // who could ask, all ranks together
    double atOnce = 1;   // prompts that begin together on one rank
    bool turns = true;   // each once at a time; false: requests come on their own
    double inStep = 0;   // how sure all of them ask in the same step
};
[[nodiscard]] PromptChunk promptChunk(const Deployment& deployment, const StepShape& decode, double newPrompt,
                                      const PromptsComing& prompts);
[[nodiscard]] StepShape withChunk(const Deployment& deployment, const StepShape& decode, PromptChunk chunk,
                                  const Load& load);

// Passes that a pipeline has under way. Who asks again when he has his answer stays in the pass that first
// took him, and the first pass takes as many prompts as its budget holds: a burst of few short ones decodes
// on one lane. Requests that come on their own find lanes free and spread over all.
[[nodiscard]] double busyLanes(const Deployment& deployment, const Load& load);

// Users of the lane that has most, over the mean of all lanes.
[[nodiscard]] double fullestLane(const Deployment& deployment, const Load& load, double lanes);

// Steps between two requests of one user, in tokens: a prompt's last part gives the first token in a step
// like any other, and in a pipeline its further parts follow a lane apart; where prompts go between the steps
// of those who decode, these give all tokens but the first.
[[nodiscard]] double roundsOfRequest(const Deployment& deployment, const Load& load);

// Steps that pass before a request is in one, of users who are not all gathered.
[[nodiscard]] double stepsWaited(const Deployment& deployment, const Load& load);

// All of them, for whoever asks for them at several places.
struct Turns {
    double lanes = 1;  // that are busy
    double rounds = 1; // of a request
    double waited = 0; // before it for the engine's steps, in tokens as those are
};
[[nodiscard]] Turns turnsOf(const Deployment& deployment, const Load& load);

// Passes of a pipeline wait for one another: those that enter behind a long one go at its pace until it is
// out. The share of steps that are as long as a pass with prompts, of which each lane has such a share; a
// prompt takes so many `parts`, one behind the other.
[[nodiscard]] double slowedSteps(double share, double lanes, double parts = 1);
// As many prompts as a pass is felt to have, of a pipeline whose passes have `mean` of them, as they come,
// and room for so many: the others wait for the one that has most.
[[nodiscard]] double promptsFelt(double mean, double room, double lanes);
// How many entries in a row do so.
[[nodiscard]] double heldEntries(double share, double lanes, double parts);
// What one of those steps takes, of what it takes when all passes are like `pass`. They are through when the
// first prompt has been in every stage, the slowest as often as there are prompts, not in the slowest at each
// turn.
[[nodiscard]] double paceOfHeld(const StagePass& pass, double held, double lanes);

// How much longer a user's cycle is because prompts of a pipeline wait for one another: an entry takes one
// pass, and now and then two come at once while another time none does. Beyond the wait that `filled` above 1
// is by itself.
[[nodiscard]] double waitForTurns(const PromptChunk& chunk, double users);
// The same of so many whose prompts fill so much of the steps, taken one at a time.
[[nodiscard]] double cycleInLine(double users, double filled);

// Steps that so many tokens of prompts take, as many as `budget` each, of lengths that vary: what is near a
// whole number of steps takes now one more. Of several prompts together long and short ones even out.
[[nodiscard]] double meanSteps(double promptTokens, double budget, double prompts = 1);
// How sure users of ranks that share experts move in step: short answers differ by less than a step, so that
// all who had a turn together have the next together, as long as no rank needs a step more than the others.
[[nodiscard]] double usersInStep(const Deployment& deployment, const Load& load);
// Share of the time between the tokens of users who move in step that prompts of their turn fill.
[[nodiscard]] double promptsBehindInTurn(const Deployment& deployment, const Load& load);
// Where ranks give prompts steps of their own: how many steps a rank has for prompts with each of its
// decodes.
[[nodiscard]] double promptStepsOfRank(const Deployment& deployment, const Load& load, double arriving);
// How many prompts of a rank come in the time of one of its decodes, and so begin together.
[[nodiscard]] double promptsAtOnce(const Deployment& deployment, const Load& load);

// Prompts of one step where an engine computes whole prompts between decode steps.
[[nodiscard]] double promptsTogether(const Deployment& deployment, double newPrompt, double arriving);

// Ranks that share experts wait for whoever computes a prompt, so it matters how many do so at once. From how
// many steps prompts gather in one: a new request waits for `host` and for `unseen` steps, each as long as
// the one it fell into. Waiting alone gathers nobody, for all wait alike. But who waits longer than a step
// lasts comes at any time, so that in a longer step more come, and these begin together: from as many steps
// as would have passed in the mean during the one fallen into. `alone` is a step without prompts,
// `withPrompts` one with them.
[[nodiscard]] double stepsGathered(const Deployment& deployment, double arriving, Seconds host, double unseen,
                                   Seconds alone, Seconds withPrompts);

} // namespace headroom
