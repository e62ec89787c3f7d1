#include "model/closed_form/gathered_users.h"

#include "model/base/rounding.h"
#include "model/closed_form/mean_ceiling.h"
#include "model/closed_form/prefill_mixing.h"
#include "model/closed_form/step_budget.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

// The users of one rank and what their prompts take together.
struct OneRank {
    double ranks = 1;  // that have users
    double users = 1;  // of each
    double each = 1;   // steps' worth of one prompt
    double gaps = 1;   // of an answer
    double differ = 0; // steps by which answers are longer or shorter, at most
    bool mixes = true;

    [[nodiscard]] double prompts() const { return users * each; } // steps' worth
    // How much more or less of them a rank may have.
    [[nodiscard]] double spread() const { return spreadOfLengths / std::sqrt(users); }
};

OneRank oneRank(const Deployment& d, const Load& load)
{
    OneRank out{.ranks = std::clamp(load.batch, 1.0, double(d.layout.dp)),
                .gaps = std::max(load.outputTokens, 1.0) - 1,
                .differ = std::floor(load.outputTokens * spreadOfLengths),
                .mixes = mixesPrompts(d.engine->scheduler)};
    out.users = std::max(1.0, load.batch / out.ranks);
    const double newPrompt = newPromptTokens(load);
    const double budget = stepBudget(d, newPrompt, 0);
    out.each = budget > 0 ? newPrompt / budget : 1 / out.users; // no budget: all go together
    return out;
}

// Two groups take turns where one step does not hold everybody's prompts and the host keeps those apart who
// ended together: while one group is at work the other asks.
double groupsOf(const OneRank& rank, Seconds host)
{
    return rank.ranks <= 1 && host > Seconds() ? std::clamp(rank.prompts(), 1.0, 2.0) : 1;
}

// Whole steps that `each` times so many prompts take: as many, or one more with such a chance.
struct WholeSteps {
    double least = 0;
    double more = 0;
};
WholeSteps wholeSteps(double each, double prompts)
{
    const double steps = each * prompts;
    const double spread = spreadOfLengths / std::sqrt(std::max(1.0, prompts));
    const double mean = meanCeiling(steps * (1 - spread), steps * (1 + spread));
    const double least = roundedDown(mean);
    return {least, mean - least};
}

} // namespace

Seconds hostOfRequest(const Deployment& d, const Load& load)
{
    return d.engine->requestHostTime + d.engine->tokeniseTime * load.promptTokens;
}

bool waitsForSteps(const Deployment& d, const Load& load)
{
    const bool takeTurns = !load.openLoop && !load.promptElsewhere && load.batch > 1;
    return takeTurns && d.engine->admissionSteps > 0 && load.outputTokens >= 2 && d.layout.pp == 1
        && !keepsBatch(d.engine->scheduler);
}

// Answers end as far apart as they differ. Where prompts ride on decodes the last prompt's begins as many
// steps after the first's as there are; else all decode when all prompts are computed, and ranks that have
// done so wait for those that have more.
double usersGathered(const Deployment& d, const Load& load)
{
    if (!waitsForSteps(d, load))
        return 0;
    const double waits = d.engine->admissionSteps;
    const Seconds host = hostOfRequest(d, load);
    const OneRank rank = oneRank(d, load);
    const double prompts = rank.prompts();
    if (rank.ranks <= 1 && host > Seconds()) { // the other group has not been counted for when this one ends
        const double own = std::max(std::min(prompts, 1.0), prompts / groupsOf(rank, host));
        return std::clamp(waits + (rank.mixes ? 2 : 1) - own - rank.gaps - 2 * rank.differ, 0.0, 1.0);
    }
    const double ranksApart = 2 * prompts * rank.spread() * (rank.ranks - 1) / (rank.ranks + 1);
    // The first prompt of all, on the rank where it is shortest.
    const double first
        = std::max(1.0, rank.each * (1 - spreadOfLengths * (rank.ranks - 1) / (rank.ranks + 1)));
    const double begin = rank.mixes ? meanSteps(prompts, 1, rank.users) - first : ranksApart;
    return std::clamp(waits + 1 - 2 * rank.differ - begin, 0.0, 1.0);
}

namespace {

// What is beyond `from` of a number that lies anywhere so far to both sides of its mean.
double beyond(double from, double mean, double spread)
{
    const double low = std::max(from, mean * (1 - spread));
    const double high = mean * (1 + spread);
    return high <= low ? 0 : (high - low) * ((high + low) / 2 - from) / (2 * mean * spread);
}

} // namespace

GatheredTurn gatheredTurn(const Deployment& d, const Load& load)
{
    OneRank rank = oneRank(d, load);
    GatheredTurn out{.groups = groupsOf(rank, hostOfRequest(d, load))};
    rank.users = std::max(1.0, rank.users / out.groups);
    // As the largest of so many.
    const double most = rank.prompts() * (1 + rank.spread() * (rank.ranks - 1) / (rank.ranks + 1));
    const double spread = rank.spread() * 2 / (rank.ranks + 1);
    const double steps = meanSteps(most, 1, std::pow(spreadOfLengths / spread, 2));
    constexpr double never = 1e-6;
    out.full = std::floor(steps);
    if (steps - out.full < never) // the last of them is not full
        out.full -= 1;
    const WholeSteps last = wholeSteps(rank.each, rank.users);
    // That so many ranks have no rest.
    const double oneHas = last.least > out.full ? 1 : last.least + 1 > out.full ? last.more : 0;
    const double noneHas = std::pow(1 - oneHas, rank.ranks);
    const double noOther = oneHas < 1 ? noneHas / (1 - oneHas) : rank.ranks > 1 ? 0 : 1;
    out.chance = 1 - noneHas;
    if (out.chance > never) {
        out.ranksWithRest = oneHas / out.chance;
        out.rest = std::min(1.0, beyond(out.full, most, spread) / out.chance);
        out.restInMean = std::min(out.rest, beyond(out.full, rank.prompts(), rank.spread()) / out.chance);
    }
    const double all = rank.ranks * rank.users;
    out.after = rank.gaps + rank.differ * (all - 1) / (all + 1);

    constexpr double looks = 16; // users of whom all are like one
    const double count = std::min(looks, std::ceil(rank.users));
    const double alike = rank.users / count;
    // His tokens follow his own prompt's last step, or that of his rank.
    const auto add = [&](double own, double behind, double chance, double none) {
        if (chance <= 0) // most prompts take one number of steps and no other
            return;
        const double until = behind + rank.gaps;
        const double weight = chance / count;
        out.betweenFull += weight * (std::min(until, out.full) - std::min(own, out.full));
        if (own <= out.full && until > out.full)
            out.betweenRest += weight * (behind > out.full ? 1 : 1 - none);
    };
    const auto addAfter = [&](const WholeSteps& own, double behind, double chance, double none) {
        add(own.least, std::max(own.least, behind), chance * (1 - own.more), none);
        add(own.least + 1, std::max(own.least + 1, behind), chance * own.more, none);
    };
    for (double i = 1; i <= count; ++i) {
        const WholeSteps own = wholeSteps(rank.each, i * alike - (alike - 1) / 2);
        const bool isLast = i + 0.5 > rank.users;
        if (rank.mixes || isLast) {
            addAfter(own, 0, 1, isLast ? noOther : noneHas);
        } else {
            addAfter(own, last.least, 1 - last.more, noOther);
            addAfter(own, last.least + 1, last.more, noOther);
        }
    }
    return out;
}

// How long such a turn takes, and a token of it.
Gathered Predictor::inTurns(const Load& load, const StepShape& decode, const Estimate<Seconds>& token,
                            double share) const
{
    const Deployment& d = deployment();
    const GatheredTurn turn = gatheredTurn(d, load);
    const double newPrompt = newPromptTokens(load);
    const double ranks = d.layout.dp;
    const double ofRank = std::max(1.0, load.batch / ranks) / turn.groups;
    const double budget = stepBudget(d, newPrompt, 0);
    const double room = budget > 0 ? budget : newPrompt * ofRank; // of a rank's step
    const double busy = std::min(load.batch, ranks);
    const double gaps = std::max(load.outputTokens, 1.0) - 1;
    StepShape beside;
    if (mixesPrompts(d.engine->scheduler)) { // who has his first token
        const double decoding = gaps / (turn.full + turn.rest + gaps) / turn.groups;
        beside = decode;
        beside.decodeSequences *= decoding;
        beside.sampledRows *= decoding;
    }
    const auto stepOf = [&](double most, double mean, double parts, bool last) {
        const double tokens = mean * room * busy;
        PromptChunk chunk{.tokens = tokens, .prompts = std::max({1.0, parts, tokens / newPrompt})};
        if (ranks > 1)
            chunk.slowest = {.tokens = most * room, .prompts = std::max(1.0, most * room / newPrompt)};
        if (last) // all of its prompt is before it, and not half
            chunk.slowest.further = std::max(0.0, newPrompt - tokens / chunk.prompts) / 2;
        return m_timer.rateWithInterval(withChunk(d, beside, chunk, load));
    };
    const Estimate<Seconds> full = turn.full > 0 ? stepOf(1, 1, busy, false) : token;
    const Estimate<Seconds> rest
        = stepOf(turn.rest, turn.restInMean, busy * turn.ranksWithRest, turn.full > 0);
    const auto of = [&](double fullSteps, double restSteps, double all) {
        return sum(sum(full * fullSteps, rest, restSteps), token, all - fullSteps - restSteps);
    };
    const Estimate<Seconds> run = of(turn.full, turn.chance, turn.full + turn.chance + turn.after);
    const Seconds others = std::max(hostOfRequest(d, load), run.value * (turn.groups - 1));
    return {share, run * ((run.value + others) / run.value),
            of(turn.betweenFull, turn.betweenRest, gaps) / gaps};
}

// A burst lets in whoever is counted while it lasts, where it has the steps to itself; where prompts ride on
// decodes, whoever ends while it is counted for. Two at least, for the engine is idle for the first who asks;
// but what takes longer than the others are counted for takes them all in.
double burstsOfUsers(const Deployment& d, const Load& load, double host)
{
    const OneRank rank = oneRank(d, load);
    const double waits = d.engine->admissionSteps;
    const double together = rank.mixes
        ? std::max(1.0, waits)
        : 1 + std::min(std::max(1.0, waits + host) - 1, std::max(1.0, rank.prompts()));
    // Who ends apart by more than that drifts further, turn by turn.
    const double apart = (2 * rank.differ + 1) / together;
    const double drifted = std::min(apart * std::sqrt(std::max(1.0, apart)), (rank.gaps + waits) / together);
    const double least = rank.mixes ? 2 : 2 - std::clamp(rank.prompts() - waits, 0.0, 1.0);
    return std::max({least, apart, drifted});
}

// Of one's own burst those behind one's own; of the other bursts those that come while one decodes and not
// while one waits.
double promptsBetweenTokens(const Deployment& d, const Load& load, double host)
{
    const OneRank rank = oneRank(d, load);
    const double bursts = burstsOfUsers(d, load, host);
    const double decodes = rank.gaps / (rank.gaps + d.engine->admissionSteps + 1 + host);
    const double behind = 0.5 * (1 - 1 / std::max(1.0, rank.prompts()));
    const double others = 1 - 1 / load.batch;
    return (1 - 1 / bursts) * decodes * others + behind / bursts;
}

} // namespace headroom
