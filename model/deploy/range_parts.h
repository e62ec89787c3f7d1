#pragma once

#include "model/base/estimate.h"
#include "model/deploy/deployment.h"

#include <algorithm>
#include <cmath>

namespace headroom {

// How wide ranges are beside what operators answer for, and how far they reach to either side. All of it was
// chosen by the score of intervals (width, and ten times what lies beyond) of rows that were left out by
// source, by vendor and by generation: docs/accuracy.md says what they hold.

// Of what whole runs of an engine miss, models without experts miss less: their kernels are the same ones
// from model to model. The score is flat from 0.8 to 0.9, and a hundredth worse with all of it.
constexpr double ofModelsWithoutExperts = 0.85;

[[nodiscard]] inline double partOfModel(const Deployment& d, bool ownRuns)
{
    return d.llm == nullptr || ownRuns || d.llm->hasExperts() ? 1 : ofModelsWithoutExperts;
}

// What whole runs of the engine with this model miss of prompts and of decodes: standard deviations of
// ln(measured / predicted).
[[nodiscard]] inline double lnSpreadOfPrompts(const Deployment& d)
{
    return std::sqrt(d.engine->lnSpreadPrefill * d.engine->lnSpreadPrefill
                     + d.engine->lnSpreadSourcePrefill * d.engine->lnSpreadSourcePrefill)
        * partOfModel(d, d.engine->ownPrompts());
}
[[nodiscard]] inline double lnSpreadOfDecodes(const Deployment& d)
{
    return std::sqrt(d.engine->lnSpreadDecode * d.engine->lnSpreadDecode
                     + d.engine->lnSpreadSourceDecode * d.engine->lnSpreadSourceDecode)
        * partOfModel(d, d.engine->ownDecodes());
}

// How far a range reaches to the slow and to the fast side, in what it would reach evenly to both.
struct RangeSides {
    double slower = 1;
    double faster = 1;
    double lnSpreadSlower = 0; // a standard deviation more, of the slow side alone

    // Of so much to the ninetieth percentile in ln.
    [[nodiscard]] double lnSlower(double even) const
    {
        const double reach = even * slower;
        return lnSpreadSlower > 0 ? std::hypot(reach, deviationsToNinetieth * lnSpreadSlower) : reach;
    }
    [[nodiscard]] double lnFaster(double even) const { return even * faster; }

    friend bool operator==(const RangeSides&, const RangeSides&) = default;
};

// Kernels for experts are tuned for each shape on each card, and that comes after the model. Of 395 rows of
// 15 sources of models with experts that were no older than two months when their engine's build came out 21
// in 100 took more than half as long again as predicted (15 more than twice as long) and 2 less than two
// thirds, left out by source; of all others 7 and 2. Models without experts that were as new are like any
// other. The score is 3.361 with models of a month, 3.374 of two and 3.428 of three, the same with a spread
// from 0.5 to 0.6, and 3.42 without one.
constexpr int monthsOfNewExperts = 1;
constexpr double lnSpreadOfNewExperts = 0.54;

// Servers fall behind by more than they get ahead: they cannot be faster than the machine, and there are many
// ways to be slow. First tokens, whole requests and throughput: of rows left out by source 12 % were slower
// than an even range and 4 % faster. Times of tokens err to both sides alike. The score is 3.43 with even
// ranges and flat, 3.36, from 1.15 to 1.25 on the slow side and from 0.75 to 0.88 on the fast one; there
// ranges are chosen that hold 75 to 85 % of the rows of each metric and of each regime.
constexpr double slowerByMore = 1.2;
constexpr double fasterByLess = 0.87;

[[nodiscard]] inline RangeSides sidesOfTokenTimes(const Deployment& d)
{
    return d.engine->ownDecodes() ? RangeSides{}
                                  : RangeSides{.lnSpreadSlower = d.newExperts ? lnSpreadOfNewExperts : 0};
}
// Of first tokens, whole requests and throughput.
[[nodiscard]] inline RangeSides sidesOfServing(const Deployment& d)
{
    return d.engine->ownDecodes() ? RangeSides{}
                                  : RangeSides{.slower = slowerByMore,
                                               .faster = fasterByLess,
                                               .lnSpreadSlower = d.newExperts ? lnSpreadOfNewExperts : 0};
}

// A time, or with `slowIsLow` a rate, with a range that reaches evenly to both sides so far. What a machine
// cannot beat ends the fast side already, and stays its end.
template <typename Q>
[[nodiscard]] Estimate<Q> reaching(const Estimate<Q>& even, const RangeSides& sides, bool slowIsLow = false)
{
    if (even.value <= Q() || sides == RangeSides{})
        return even;
    const double reach = slowIsLow ? std::log(even.value / even.low) : std::log(even.high / even.value);
    const double slower = std::exp(sides.lnSlower(reach));
    const double faster = std::exp(sides.lnFaster(reach));
    return slowIsLow
        ? Estimate<Q>{even.value, even.value / slower, std::min(even.high, even.value * faster), even.source}
        : Estimate<Q>{even.value, std::max(even.low, even.value / faster), even.value * slower, even.source};
}

// How well two pools keep each other busy, one for prompts and one that decodes: what decodes miss beside
// their engine. 104 figures of 4 sources: the score, summed over source, vendor and generation left out, is
// 4.967 without it, 4.942 with 0.1 and 4.954 with 0.15.
constexpr double amongPools = 0.1;
// And what first tokens of two pools miss beside their engine and the line before the prompts. 24 figures of
// 3 sources: without it ranges hold 67 % of them, with this 75 %; the score falls from 12.2 to 11.8, and
// further with more.
constexpr double amongPoolsFirst = 0.35;

// A time with a spread of its own besides. Where the machine ends the fast side already that stays its end.
[[nodiscard]] inline Estimate<Seconds> widened(const Estimate<Seconds>& time, double lnSpread)
{
    if (time.value <= Seconds())
        return time;
    const double more = deviationsToNinetieth * lnSpread;
    const double up = std::log(time.high / time.value);
    const double down = std::log(time.value / time.low);
    constexpr double rounding = 1e-9;
    const Seconds low = down < up - rounding ? time.low : time.value * std::exp(-std::hypot(down, more));
    return {time.value, low, time.value * std::exp(std::hypot(up, more)), time.source};
}

} // namespace headroom
