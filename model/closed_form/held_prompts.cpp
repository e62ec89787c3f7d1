// Prompts that ranks hold back until each of them has one.
#include "model/base/whole_power.h"
#include "model/closed_form/prediction.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"
#include "model/count/expert_balance.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// How prompts gather on ranks.
struct Gathering {
    int ranks = 1;
    double users = 1;  // of a rank
    double answer = 1; // steps
    double coming = 1; // prompts of a rank in a step
    double most = 1;   // steps that they are held
};

struct Held {
    double steps = 0;
    double all = 0; // chance that each rank has a prompt when time is up
};

// They are held until each rank has one, a rank has nobody left who decodes, or time is up. By the t-th step
// a rank has a prompt with a chance of 1 - e^(-coming t), and a user's answer has ended with one of t /
// answer.
Held heldOn(const Gathering& g)
{
    constexpr int parts = 16;
    constexpr double many = 8; // users, who do not end together
    const double part = g.most / parts;
    const double none = std::exp(-g.coming * part);
    double without = std::sqrt(none); // in the middle of the first part
    Held out;
    for (int i = 0; i < parts; ++i, without *= none) {
        const double ended = std::min(1.0, (i + 0.5) * part / g.answer);
        const double atWork = g.users < many ? wholePower(1 - std::pow(ended, g.users), g.ranks) : 1;
        out.steps += (1 - wholePower(1 - without, g.ranks)) * atWork * part;
    }
    out.all = wholePower(1 - without, g.ranks);
    return out;
}

// Of the prompts that were held, the most on one rank. Where each rank has one, the others came anywhere;
// else all did.
double mostOnOne(double ofRank, const Gathering& g, double all)
{
    const double anywhere = 1 - std::min(1.0, ofRank / g.users); // of a rank's users that still decode
    const auto deviation = [&](double mean) { return std::sqrt(std::max(0.0, mean * anywhere)); };
    const double beyond = all * deviation(ofRank - 1) + (1 - all) * deviation(ofRank);
    return std::max(1.0, ofRank + beyond * expectedLargest(g.ranks));
}

} // namespace

// Each rank has prompts all the time, or nearly so. A rank that has none to begin makes the others wait with
// theirs, and meanwhile a step holds only what is left of prompts that were longer than one. So prompts begin
// together, and tokens between such steps come sooner; a turn is no shorter by that.
Predictor::UnderLoad Predictor::whereAllCompute(const Steady& steady) const
{
    UnderLoad out = besideChunks(steady);
    const Deployment& d = deployment();
    const double ranks = d.layout.dp;
    const double newPrompt = newPromptTokens(steady.load);
    const double budget = stepBudget(d, newPrompt, steady.decode.decodeSequences / ranks);
    const double ofTurn = steady.rounds + steady.waited; // steps of a turn that are not spent in line
    const double turn = ofTurn + out.inLine.value / out.tpot.value;
    const double begun = steady.users / ranks / turn; // of a rank's steps
    const bool oneByOne = newPrompt <= budget && budget < 2 * newPrompt;
    if (steady.load.openLoop || !oneByOne || begun >= 1)
        return out;
    // Of a prompt whose length is uniform.
    const double beyond = std::max(0.0, newPrompt * (1 + spreadOfLengths) - budget);
    const double left = beyond * beyond / (4 * spreadOfLengths * newPrompt);
    const double longest = left + (beyond - left) * (ranks - 1) / (ranks + 1);
    const PromptChunk rests{
        .tokens = left * ranks, .prompts = ranks, .slowest = {.tokens = longest, .prompts = 1}};
    const StepShape step = beyond > 0 ? withChunk(d, steady.decode, rests, steady.load) : steady.decode;
    const Estimate<Seconds> token = sum(m_timer.rateWithInterval(step), steady.draft) / steady.yield;
    if (token.value >= out.tpot.value)
        return out;
    const double waiting = (1 - begun) * (1 - std::pow(begun, ranks - 1)); // of the steps
    const Estimate<Seconds> sooner = sum(out.tpot * (1 - waiting), token, waiting);
    out.inLine = sum(out.inLine, out.tpot * (1 - sooner.value / out.tpot.value), ofTurn);
    out.tpot = sooner;
    return out;
}

// A round: decodes alone while prompts gather, then the steps in which all ranks compute theirs. What comes
// during a round waits for the next.
Predictor::UnderLoad Predictor::besideHeld(const Steady& steady) const
{
    const Deployment& d = deployment();
    const int ranks = d.layout.dp;
    const double newPrompt = newPromptTokens(steady.load);
    const double answer = steady.rounds / steady.yield; // steps
    StepShape decode = steady.decode;
    Estimate<Seconds> alone = steady.decodeRate;
    Estimate<Seconds> token = alone;
    Estimate<Seconds> wait{};
    double decoding = 1;       // of the users
    double computing = 1;      // steps of a round that have prompts
    constexpr int settled = 3; // rounds of this loop, of which the last times its steps
    for (int i = 0; i < settled; ++i) {
        decode.decodeSequences = steady.decode.decodeSequences * decoding;
        decode.sampledRows = steady.decode.sampledRows * decoding;
        const double coming = steady.users * decoding / answer;
        const double most = double(d.engine->balanceSteps) + std::max(0.0, 1 / coming - 0.5);
        const Gathering gathering{ranks, steady.users / ranks, answer, coming / ranks, most};
        const Held prompts = heldOn(gathering);
        const double round = std::max(computing, prompts.steps);
        const double held = std::max(1.0, coming * round);
        const double running = decode.decodeSequences / ranks;
        const double budget = stepBudget(d, newPrompt, running);
        const double fit
            = budget > 0 ? std::max(1.0, (budget - running * decode.decodeQueries) / newPrompt) : held;
        const double fullest = std::min(held, mostOnOne(held / ranks, gathering, prompts.all));
        computing = std::max(1.0, fullest / fit);
        const double without = std::max(0.0, round - computing); // steps
        if (without <= 0)
            return whereAllCompute(steady);
        const double ofStep = std::min(fullest, fit);
        const double spread = spreadOfLengths / std::sqrt(ofStep);
        const double alike = std::clamp(held / fullest, 1.0, double(ranks));
        const PromptChunk chunk{
            .tokens = held / computing * newPrompt,
            .prompts = held / computing,
            .slowest
            = {.tokens = ofStep * newPrompt * (1 + spread * (alike - 1) / (alike + 1)), .prompts = ofStep}};
        const bool last = i + 1 == settled;
        alone = last ? m_timer.rateWithInterval(decode) : steady.decodeRate;
        const Estimate<Seconds> mixed = last
            ? m_timer.rateWithInterval(withChunk(d, decode, chunk, steady.load))
            : sum(alone, m_prefill.rate, ofStep);
        const double share = computing / (without + computing);
        const Estimate<Seconds> step = sum(alone * (1 - share), mixed, share);
        // Answers end in any step of a round. Who asks waits for the rest of it, then for his turn.
        const Estimate<Seconds> before
            = sum(alone * (without * (without / 2 + computing) / (without + computing)), mixed,
                  computing * share / 2 + (computing - 1) / 2);
        // An answer begins with a step that has prompts: in all of its steps half of one is beyond their
        // share, in those after the first half of one is missing.
        const double more = (1 - share) / 2;
        const Estimate<Seconds> steps = sum(sum(step * answer, mixed, more), alone, -more);
        token = answer > 1 ? sum(steps, mixed, -1) / (answer - 1) : step;
        wait = sum(sum(before, mixed), token, -1);
        if (!steady.load.openLoop)
            decoding = step.value * answer
                / (token.value * answer + wait.value + step.value * (steady.waited / steady.yield));
    }
    return {.tpot = sum(token, steady.draft) / steady.yield, .inLine = wait};
}

} // namespace headroom
