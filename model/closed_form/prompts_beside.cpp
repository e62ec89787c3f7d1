// How the time between a user's tokens grows by the prompts that keep a batch full.
#include "model/closed_form/prediction.h"
#include "model/closed_form/prefill_mixing.h"

#include <algorithm>

namespace headroom {

// The lanes of a pipeline wait for the one that has most to decode.
Predictor::Decoding Predictor::inFullestLane(const Steady& steady) const
{
    const double most = fullestLane(deployment(), steady.load, steady.lanes);
    if (most <= 1)
        return {steady.decode, steady.decodeRate};
    StepShape fullest = steady.decode;
    fullest.decodeSequences *= most;
    fullest.sampledRows *= most;
    return {fullest, m_timer.rateWithInterval(fullest, steady.lanes)};
}

// Chunks of prompts ride on some of the decode steps.
Predictor::UnderLoad Predictor::besideChunks(const Steady& steady) const
{
    const double lanes = steady.lanes;
    const double newPrompt = newPromptTokens(steady.load);
    const Decoding decoding = inFullestLane(steady);
    const PromptsComing coming{.arriving = steady.arriving(),
                               .lanes = lanes,
                               .gathered = steady.gathered,
                               .users = steady.users,
                               .turns = !steady.load.openLoop,
                               .inStep = usersInStep(deployment(), steady.load)};
    PromptChunk chunk = promptChunk(deployment(), decoding.shape, newPrompt, coming);
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
    const StepTimer::RateAndPass timed = m_timer.rateAndPass(both, lanes);
    const Estimate<Seconds> mixed
        = lanes > 1 ? timed.rate * paceOfHeld(timed.pass, chunk.held, lanes) : timed.rate;
    const double share = std::min(1.0, chunk.steps); // of the steps
    const Estimate<Seconds> step = sum(decoding.rate * (1 - share), mixed, share);
    UnderLoad out{.tpot = sum(step, steady.draft) * (turns / steady.yield), .inLine = {}};
    if (chunk.steps > 1) { // all take turns, and one who waits for his is not among those who decode
        const double others = lanes > 1 || deployment().layout.dp > 1 ? 1 : (steady.users - 1) / steady.users;
        out.inLine = mixed * (turns / steady.yield * (chunk.steps - 1) * steady.rounds * others);
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
    const double together = promptsTogether(d, newPromptTokens(steady.load), steady.arriving() / lanes);
    Estimate<Seconds> prompts
        = together > 1 ? m_timer.rateWithInterval(promptsStep(steady.load, together)) : m_prefill.rate;
    const double each = steady.users / steady.rounds; // prompts for each token
    if (lanes > 1) {
        const Seconds longer = besideLanes(steady.load, together, each / lanes, lanes);
        return {sum(tokens(inFullestLane(steady).rate), prompts, longer / prompts.value), {}};
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
                                           .gathered = steady.gathered,
                                           .users = load.batch,
                                           .turns = !load.openLoop,
                                           .inStep = usersInStep(deployment(), load)});
    StepShape step = withChunk(deployment(), {}, chunk, load);
    step.allTokens += steady.decode.tokens() / steps;
    const double share = std::min(1.0, arriving / steps * newPrompt / chunk.tokens); // that have prompts
    const Estimate<Seconds> withPrompts = m_timer.rateWithInterval(step);
    return sum(alone * (1 - share), withPrompts, share) * steps;
}

} // namespace headroom
