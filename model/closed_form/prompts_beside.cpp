// How the time between a user's tokens grows by the prompts that keep a batch full.
#include "model/closed_form/gathered_users.h"
#include "model/closed_form/prediction.h"
#include "model/closed_form/prefill_mixing.h"

#include <algorithm>

namespace headroom {

// The lanes of a pipeline wait for the one that has most to decode. `filled`: of the budgets of passes, by
// prompts. Where a lane's users bring more prompts than its passes have room for, those beyond wait for
// theirs and do not decode: no lane decodes more than full passes let begin, by chance or not.
Predictor::Decoding Predictor::inFullestLane(const Steady& steady, double filled) const
{
    const double most
        = std::min(fullestLane(deployment(), steady.load, steady.lanes), 1 / std::min(filled, 1.0));
    if (most <= 1)
        return {steady.decode, steady.decodeRate};
    StepShape fullest = steady.decode;
    fullest.decodeSequences *= most;
    fullest.sampledRows *= most;
    return {fullest, m_timer.rateWithInterval(fullest, steady.lanes)};
}

namespace {

// How much longer passes take that are all full of parts of prompts. A later part has more keys to look at,
// so that no two passes under way are alike, and each waits for the longest. Of `lanes` numbers spread evenly
// the largest lies on average (lanes - 1) / (lanes + 1) of the way from the mean to the end. `mean`: of
// `both`.
double unevenParts(const StepTimer& timer, const StepShape& both, const PromptChunk& chunk, double newPrompt,
                   double lanes, Seconds mean)
{
    const bool alike = timer.deployment().dynamicChunks || chunk.turns <= 1;
    if (lanes <= 1 || alike || chunk.steps < 1)
        return 1;
    StepShape last = both;
    last.prefillPast += std::max(0.0, newPrompt - chunk.tokens / chunk.prompts) / 2;
    const Seconds longest = timer.rateWithInterval(last, lanes).value;
    return 1 + std::max(0.0, longest / mean - 1) * (lanes - 1) / (lanes + 1);
}

} // namespace

double Predictor::gatheredBy(const Steady& steady) const
{
    const Seconds alone = steady.decodeRate.value;
    return stepsGathered(deployment(), steady.arriving() / steady.lanes, steady.host, steady.unseen, alone,
                         alone + m_prefill.rate.value);
}

// Chunks of prompts ride on some of the decode steps.
Predictor::UnderLoad Predictor::besideChunks(const Steady& steady) const
{
    const double lanes = steady.lanes;
    const double newPrompt = newPromptTokens(steady.load);
    const PromptsComing coming{.arriving = steady.arriving(),
                               .lanes = lanes,
                               .gathered = gatheredBy(steady),
                               .users = steady.users,
                               .turns = !steady.load.openLoop,
                               .inStep = usersInStep(deployment(), steady.load)};
    PromptChunk chunk = promptChunk(deployment(), steady.decode, newPrompt, coming);
    const Decoding decoding = inFullestLane(steady, chunk.filled);
    if (decoding.shape.decodeSequences > steady.decode.decodeSequences)
        chunk = promptChunk(deployment(), decoding.shape, newPrompt, coming);
    StepShape beside = decoding.shape;
    const double turns = waitForTurns(chunk, steady.users);
    // Prompts are behind: whoever waits for his does not decode, which leaves the others more room.
    constexpr int settled = 3; // rounds
    for (int i = 0; i < settled && chunk.steps > 1; ++i) {
        beside.decodeSequences = decoding.shape.decodeSequences / chunk.steps;
        beside.sampledRows = decoding.shape.sampledRows / chunk.steps;
        chunk = promptChunk(deployment(), beside, newPrompt, coming);
    }
    const StepShape both = withChunk(deployment(), beside, chunk, steady.load);
    Estimate<Seconds> rate; // of passes that all have prompts
    Estimate<Seconds> mixed;
    if (lanes > 1) {
        const StepTimer::RateAndPass timed = m_timer.rateAndPass(both, lanes);
        rate = timed.rate;
        mixed = rate * paceOfHeld(timed.pass, chunk.held, lanes);
    } else {
        rate = mixed = m_timer.rateWithInterval(both, lanes);
    }
    const double share = std::min(1.0, chunk.steps); // of the steps
    const Estimate<Seconds> step = sum(decoding.rate * (1 - share), mixed, share);
    // Passes that now and then have no prompt are the time in which others wait for a longer one.
    const double slower = std::max(turns, unevenParts(m_timer, both, chunk, newPrompt, lanes, rate.value));
    UnderLoad out{.tpot = sum(step, steady.draft) * (slower / steady.yield), .inLine = {}};
    if (chunk.steps > 1) { // all take turns, and one who waits for his is not among those who decode
        const double others = lanes > 1 || deployment().layout.dp > 1 ? 1 : (steady.users - 1) / steady.users;
        out.inLine
            = mixed * (slower / steady.yield * (chunk.steps - 1) * (steady.rounds + steady.waited) * others);
    }
    return out;
}

// Whole prompts go between the steps of those who decode.
Predictor::UnderLoad Predictor::besidePasses(const Steady& steady) const
{
    const Deployment& d = deployment();
    const double lanes = steady.lanes;
    const auto tokens = [&](const Estimate<Seconds>& step) { return sum(step, steady.draft) / steady.yield; };
    if (d.layout.dp > 1 && lanes <= 1)
        return {besideRanks(steady) / steady.yield, {}};
    // At least as many as there are users in a burst of them.
    const double burst = waitsForSteps(d, steady.load) ? steady.users
            / burstsOfUsers(d, steady.load, hostOfRequest(d, steady.load) / steady.decodeRate.value)
                                                       : 1;
    const double together
        = promptsTogether(d, newPromptTokens(steady.load), std::max(burst, steady.arriving() / lanes));
    Estimate<Seconds> prompts
        = together > 1 ? m_timer.rateWithInterval(promptsStep(steady.load, together)) : m_prefill.rate;
    const double each = steady.users / (steady.rounds + steady.waited); // prompts for each token
    if (lanes > 1) {
        const Seconds longer = besideLanes(steady.load, together, each / lanes, lanes);
        return {sum(tokens(inFullestLane(steady, 0).rate), prompts, longer / prompts.value), {}};
    }
    // Nobody else is in a pipeline's stages: who decodes waits until the prompt is through all of them.
    if (d.layout.pp > 1 && d.engine->pipelineMicroBatches)
        prompts = prompts * (m_timer.pass(promptsStep(steady.load, together)).latency() / prompts.value);
    return {sum(tokens(steady.decodeRate), prompts, each / together), {}};
}

// Of an engine that gives prompts passes of their own, in a pipeline: how much longer a token takes. Its lane
// waits until their pass is through all stages; the other lanes, which are in them meanwhile, go at its pace.
// `arriving`: prompts for each token of a lane.
Seconds Predictor::besideLanes(const Load& load, double together, double arriving, double lanes) const
{
    const PromptSteps steps = promptSteps(deployment(), load);
    const StepShape pass = steps.count > 1 ? steps.each : promptsStep(load, together);
    const double share = arriving * (steps.count > 1 ? steps.count : 1 / together); // passes for each token
    const Seconds through = m_timer.pass(pass).latency();
    const Seconds step = m_timer.rateWithInterval(decodeStep(deployment(), load), lanes).value;
    const Seconds longer = std::max(Seconds(), through - step);
    const double ofPasses = share / (1 + share);
    return through * share
        + longer * ((slowedSteps(ofPasses, lanes, steps.count) - ofPasses) / (1 - ofPasses));
}

// Of an engine that gives prompts steps of their own, where ranks share experts: a rank without a prompt
// decodes meanwhile, as slowly as the others compute theirs. Between two of its decodes a rank has the steps
// of its own prompts.
Estimate<Seconds> Predictor::besideRanks(const Steady& steady) const
{
    const Load& load = steady.load;
    const double arriving = steady.arriving();
    const Estimate<Seconds> alone = sum(steady.decodeRate, steady.draft);
    const double newPrompt = newPromptTokens(load);
    const double own = promptStepsOfRank(deployment(), load, arriving);
    const double steps = 1 + own; // for each decode
    const PromptChunk chunk = promptChunk(deployment(), {}, newPrompt,
                                          {.arriving = arriving / steps,
                                           .gathered = gatheredBy(steady),
                                           .users = load.batch,
                                           .atOnce = load.openLoop ? 1 : promptsAtOnce(deployment(), load),
                                           .turns = !load.openLoop,
                                           .inStep = usersInStep(deployment(), load)});
    StepShape step = withChunk(deployment(), {}, chunk, load);
    step.allTokens += steady.decode.tokens() / steps;
    const double share = std::min(1.0, arriving / steps * newPrompt / chunk.tokens); // that have prompts
    const Estimate<Seconds> withPrompts = m_timer.rateWithInterval(step);
    return sum(alone * (1 - share), withPrompts, share) * steps;
}

} // namespace headroom
