#include "model/closed_form/prefill_mixing.h"

#include "model/closed_form/scheduling.h"
#include "model/closed_form/step_budget.h"
#include "model/count/expert_balance.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace headroom {

namespace {

// Tokens of one step over all ranks; 0: no budget.
double budgetOf(const Deployment& d, double promptTokens, double running)
{
    return stepBudget(d, promptTokens, running / d.layout.dp) * d.layout.dp;
}

// Of a Poisson number those that come together, where any come.
double whereAny(double mean) { return mean <= 1e-6 ? 1 : mean / -std::expm1(-mean); }

// Prompts of all ranks that share a step, where any has one: `mean` come for each step, of which a rank takes
// `room` at most. The users of one rank ask each by himself; but what finds no room waits for a step of its
// own, so that no rank has prompts in fewer steps than they fill.
double whereAnyRank(double mean, double users, double ranks, double room)
{
    if (mean <= 1e-6)
        return 1;
    if (mean >= users)
        return users;
    const double ofRank = mean / ranks;
    const double none = std::isinf(users) ? std::exp(-ofRank) : std::pow(1 - mean / users, users / ranks);
    return mean / (1 - std::pow(std::min(none, std::max(0.0, 1 - ofRank / room)), ranks));
}

} // namespace

double newPromptTokens(const Load& load)
{
    return std::max(1.0, load.promptTokens * (1 - load.prefixCached));
}

StepShape promptsStep(const Load& load, double prompts)
{
    const double newPrompt = newPromptTokens(load);
    return {.prefillTokens = newPrompt * prompts,
            .prefillSequences = prompts,
            .prefillPast = load.promptTokens - newPrompt,
            .sampledRows = prompts};
}

PromptSteps promptSteps(const Deployment& d, const Load& load)
{
    PromptSteps out{promptsStep(load, 1), 1};
    if (!mixesPrompts(d.engine->scheduler) && !d.engine->splitsPrompts)
        return out;
    const double newPrompt = out.each.prefillTokens;
    // A prompt runs on one of the ranks that share attention.
    const double budget = stepBudget(d, newPrompt, 0);
    out.flows = budget <= 0 && d.layout.pp > 1 && d.engine->pipelineMicroBatches;
    if (budget <= 0 || newPrompt <= budget)
        return out;
    out.count = std::ceil(newPrompt / budget);
    const double past = out.each.prefillPast;
    if (const double products = productsPerPair(d); products > 0) { // as many times what a first part takes
        const double asLong
            = newPrompt * (products + past + newPrompt / 2) / (budget * (products + past + budget / 2));
        const double part = serve::smoothParts * newPrompt / asLong + (1 - serve::smoothParts) * budget;
        out.count = std::ceil(newPrompt / part);
    } else {
        const double rest = newPrompt - (out.count - 1) * budget;
        out.last = StepShape{.prefillTokens = rest,
                             .prefillSequences = 1,
                             .prefillPast = past + newPrompt - rest,
                             .sampledRows = 1};
        out.beforeLast = StepShape{
            .prefillTokens = budget, .prefillSequences = 1, .prefillPast = past + newPrompt - rest - budget};
    }
    out.each.prefillTokens = newPrompt / out.count;
    out.each.prefillPast += (newPrompt - out.each.prefillTokens) / 2;
    out.each.sampledRows = 1 / out.count;
    return out;
}

namespace {

// How many times as long as one part all parts are under way. They follow one another through the stages,
// each longer than the one before, for it sees more: behind the slowest stage the longer of the last two is
// waited for.
double passesOf(const StepTimer& timer, const PromptSteps& steps, const StepCost& each)
{
    if (!timer.deployment().engine->pipelineMicroBatches)
        return steps.count;
    const auto beyondSlowest = [&](const StepShape& part) {
        const StagePass pass = timer.pass(part);
        return (pass.latency() - pass.host - pass.slowest()).base();
    };
    double beyond = beyondSlowest(steps.each);
    if (steps.last)
        beyond = std::max({beyond, beyondSlowest(*steps.last), beyondSlowest(*steps.beforeLast)});
    return (steps.count * each.rate.value.base() + beyond) / each.latency.value.base();
}

} // namespace

StepCost costOf(const StepTimer& timer, const PromptSteps& steps)
{
    StepCost out = timer.cost(steps.each);
    if (steps.flows)
        out.latency = out.rate;
    if (steps.count <= 1)
        return out;
    const auto times = [](Estimate<Seconds>& time, double factor) { time = time * factor; };
    times(out.latency, passesOf(timer, steps, out));
    times(out.rate, steps.count);
    for (Seconds* part : {&out.compute, &out.memory, &out.link, &out.launch, &out.host})
        *part = *part * steps.count;
    out.flops = out.flops * steps.count;
    out.bytes = out.bytes * steps.count;
    return out;
}

namespace {

// Who was taken by a pass stays with it. But the rest of a prompt that has no room in its pass goes with the
// next one, and so does its user: then it is chance who is where. How much of it is: lengths vary, so that a
// prompt which takes most of a pass does not always find room in it.
double movesOn(const Deployment& d, const Load& load, double lanes)
{
    constexpr double always = 0.8; // of a pass: so long a prompt finds room
    const double newPrompt = newPromptTokens(load);
    const double decoded = load.batch / lanes;
    const double room = std::max(1.0, budgetOf(d, newPrompt, decoded) - decoded);
    return std::clamp((newPrompt / room - always) / (1 - always), 0.0, 1.0);
}

} // namespace

double busyLanes(const Deployment& d, const Load& load)
{
    if (d.layout.pp <= 1 || !d.engine->pipelineMicroBatches)
        return 1;
    const double most = std::clamp(load.batch, 1.0, double(d.layout.pp));
    if (load.openLoop || load.promptElsewhere)
        return most;
    const double newPrompt = newPromptTokens(load);
    const double budget = budgetOf(d, newPrompt, 0);
    if (budget <= 0)
        return 1;
    const double begun = std::clamp(std::ceil(load.batch * newPrompt / budget), 1.0, most);
    // Some draw a lane that others have. What is left empty is taken by the first prompt that has so many
    // more parts than the one its pass took, and meanwhile by prompts as they come.
    const double drawn = begun * (1 - std::pow(1 - 1 / begun, load.batch));
    const double rest = std::max(1.0, std::ceil(newPrompt / budget - 1e-9) - 1);
    const double empty = std::min({begun - drawn, rest, begun - 1});
    const double prompts
        = std::min(1.0, load.batch / std::max(load.outputTokens, 1.0) * newPrompt / (begun * budget));
    return begun - movesOn(d, load, begun) * (1 - prompts) * empty;
}

// As the largest of as many draws.
double fullestLane(const Deployment& d, const Load& load, double lanes)
{
    if (lanes <= 1 || load.openLoop || load.promptElsewhere)
        return 1;
    const double most = std::min(std::ceil(lanes), load.batch);
    const double variance = (load.batch - 1) / most * (1 - 1 / most);
    return 1
        + movesOn(d, load, lanes) * expectedLargest(static_cast<int>(most)) * std::sqrt(variance)
        / (load.batch / lanes);
}

// Entries into the pipeline, one after another. A prompt that finds no other under way holds up the rest of
// its own parts, whoever enters on the other lanes before it is out, and as many more as there are parts
// among those; then come entries without a prompt until the next begins.
double slowedSteps(double share, double lanes, double parts)
{
    if (share >= 1 || share <= 0)
        return share;
    const double held = heldEntries(share, lanes, parts);
    const double between = parts * (1 - share) / share;
    return held / (held + between);
}

// The number of a pass's prompts is a Poisson number, as far as there is room; those beyond go with passes
// that have some. Passes that have at least j of them hold up the others as prompts that come one by one do.
double promptsFelt(double mean, double room, double lanes)
{
    constexpr double certain = 256; // is as good as the mean
    if (lanes <= 1 || mean <= 0 || mean >= room || mean > certain)
        return std::min(mean, room);
    const double most = std::min(room, mean + 6 * std::sqrt(mean) + 6);
    const auto overLevels = [&](auto value) {
        double probability = std::exp(-mean);
        double atLeast = 1 - probability;
        double sum = 0;
        for (double level = 1; level < most + 1; ++level) {
            sum += std::min(1.0, most - level + 1) * value(atLeast);
            probability *= mean / level;
            atLeast = std::max(0.0, atLeast - probability);
        }
        return sum;
    };
    const double taken = overLevels([](double atLeast) { return atLeast; });
    const double filled = std::clamp((mean - taken) / (most - taken), 0.0, 1.0);
    return overLevels(
        [&](double atLeast) { return slowedSteps(std::min(1.0, atLeast + (1 - atLeast) * filled), lanes); });
}

double heldEntries(double share, double lanes, double parts)
{
    return share < 1 ? parts + (lanes - 1) / (1 - share) : std::numeric_limits<double>::infinity();
}

double paceOfHeld(const StagePass& pass, double held, double lanes)
{
    const double slowest = pass.slowest().base();
    const double through = (pass.latency() - pass.host).base();
    if (std::isinf(held) || through >= lanes * slowest)
        return 1;
    return (through + (held - lanes) * slowest) / (held * slowest);
}

// A scheduler fills a step up to its budget with the prompts that wait: a whole one now and then where they
// are few, never a little of one in each step. A full pipeline has a pass under way in each stage, with a
// budget and decodes of its own.
PromptChunk promptChunk(const Deployment& d, const StepShape& decode, double newPrompt,
                        const PromptsComing& prompts)
{
    const double arriving = prompts.arriving;
    const double parts = prompts.lanes;
    const double ranks = d.layout.dp;
    const double decoded = decode.decodeSequences * decode.decodeQueries / parts;
    const double budget = budgetOf(d, newPrompt, decoded);
    // What begins together on a rank, and is longer than what the rank has left, takes the rest in the steps
    // that follow.
    const double begun = newPrompt * prompts.atOnce;
    const double part
        = ranks > 1 && budget > 0 ? std::min(begun, std::max(1.0, (budget - decoded) / ranks)) : begun;
    const double coming = arriving / parts * (newPrompt / part);
    const double roomOfOne = budget > 0 ? (budget - decoded) / ranks / part : 1e9;
    const bool whole = parts > 1 && ranks <= 1 && roomOfOne >= 1 && coming < roomOfOne;
    const double felt = whole ? promptsFelt(coming, roomOfOne, parts) : coming;
    const double askers = std::max(1.0, prompts.users / prompts.atOnce);
    double together = std::max(1.0, felt);
    if (ranks > 1) {
        const double mean = coming * prompts.gathered;
        constexpr double many = std::numeric_limits<double>::infinity();
        together = whereAnyRank(mean, prompts.turns ? askers : many, ranks, roomOfOne);
        together += prompts.inStep * std::max(0.0, askers - together);
    }
    const double most = budget > 0 ? std::max(1.0, budget - decoded) : newPrompt * std::max(1.0, arriving);
    const SlowestRank slowest = ranks > 1
        ? slowestRank(
            {.arriving = coming * prompts.gathered,
             .together = together,
             .part = part,
             .begun = begun,
             .room = budget > 0 ? std::max(part, roomOfOne * part) : part * together,
             .filled = budget > 0 ? newPrompt * arriving / (most * parts) : 0,
             .ranks = ranks,
             .askersOfRank = askers / ranks,
             .usersOfRank = prompts.turns ? prompts.users / ranks : std::numeric_limits<double>::infinity()},
            newPrompt)
        : SlowestRank{};
    const double waiting = part * together;
    const double one = budget > 0 ? std::min(waiting, std::max(1.0, budget - decoded)) : waiting;
    const double share = newPrompt * arriving / ((whole ? newPrompt : one) * parts);
    return {.tokens = one * parts,
            .parts = parts,
            .steps = whole ? felt / together : slowedSteps(share, parts, std::ceil(newPrompt / one)),
            .held = heldEntries(share, parts, std::ceil(newPrompt / one)),
            .filled = newPrompt * arriving / (most * parts),
            .turns = newPrompt / most,
            .prompts = std::max(parts, one * parts / std::min(part, newPrompt)),
            .slowest = slowest};
}

// Mean value analysis of a closed loop with one server, the entry (Reiser, Lavenberg: JACM 27, 1980;
// Schweitzer's approximation of who is met). All passes with prompts last alike, so that who comes finds half
// of the one under way. In units of such a pass: wait = 1 + (n - 1) / n * (waiting - busy / 2), waiting =
// busy * wait, busy = n / (elsewhere + wait).
double waitForTurns(const PromptChunk& chunk, double users)
{
    if (chunk.parts <= 1)
        return 1;
    // Who is taken together comes as one.
    return cycleInLine(users * std::min(chunk.turns, 1.0), chunk.filled);
}

double cycleInLine(double n, double filled)
{
    if (n <= 1 || filled <= 0)
        return 1;
    const double elsewhere = std::max(n / filled - 1, 0.0);
    const double half = (n - elsewhere) / 2;
    const double wait = half + std::sqrt(std::max(half * half + elsewhere - (n - 1) / 2, 0.0));
    return std::max(1.0, std::min(filled, 1.0) * (elsewhere + wait) / n);
}

StepShape withChunk(const Deployment& d, const StepShape& decode, PromptChunk chunk, const Load& load)
{
    const double newPrompt = newPromptTokens(load);
    const double ranks = d.layout.dp;
    StepShape mixed = decode;
    mixed.prefillTokens = chunk.tokens;
    mixed.prefillSequences = chunk.prompts;
    // A part of a prompt sees, besides what was cached, half of the rest on average.
    mixed.prefillPast
        = load.promptTokens - newPrompt + std::max(0.0, newPrompt - chunk.tokens / chunk.prompts) / 2;
    mixed.sampledRows += chunk.tokens / newPrompt;
    if (chunk.slowest.tokens > 0) { // all are as slow as one of them
        mixed.allTokens = mixed.tokens();
        mixed.prefillTokens = std::max(mixed.prefillTokens, chunk.slowest.tokens * ranks * chunk.parts);
        mixed.prefillSequences
            = std::max(mixed.prefillSequences, chunk.slowest.prompts * ranks * chunk.parts);
        mixed.prefillPast += chunk.slowest.further;
    }
    return mixed;
}

// Those that came during the last step, as far as the budget goes.
double promptsTogether(const Deployment& d, double newPrompt, double arriving)
{
    const double budget = budgetOf(d, newPrompt, 0);
    const double waiting = d.layout.dp > 1 ? whereAny(arriving) : arriving;
    return std::max(1.0, budget > 0 ? std::min(waiting, budget / newPrompt) : waiting);
}

// Who asks as a step ends and is there once the host is done with him has let so many short steps pass: the
// next long one catches him. Steps that the engine counts before it takes him in gather nobody, for all are
// counted the same.
double stepsGathered(const Deployment& d, double arriving, Seconds host, double untilLook, Seconds alone,
                     Seconds withPrompts)
{
    if (d.layout.dp == 1)
        return 1;
    double gathered = 1;
    const double passed = 1 + std::floor(host / alone);
    constexpr int rounds = 4; // settled to a few per cent
    for (int i = 0; i < rounds; ++i) {
        const double share = std::min(1.0, arriving / whereAny(arriving * gathered));
        const Seconds mean = alone * (1 - share) + withPrompts * share;
        const Seconds fallenInto
            = alone * ((1 - share) * (alone / mean)) + withPrompts * (share * (withPrompts / mean));
        const double missed = passed == 1 ? 1 - share : std::pow(1 - share, passed);
        const double caught = 1 - missed; // by one with prompts
        const double atAnyTime = withPrompts / mean - 1;
        const double byHost = atAnyTime > 0 ? std::min(1.0, (caught / share - 1) / atAnyTime) : 0;
        const double apart = std::min(1.0, byHost + untilLook * (fallenInto / alone));
        const double before = std::exchange(gathered, 1 + (fallenInto / mean - 1) * apart);
        if (gathered == before)
            break;
    }
    return gathered;
}

} // namespace headroom
