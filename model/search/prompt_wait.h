#pragma once

#include "model/base/estimate.h"
#include "model/base/units.h"

namespace headroom {

// How unsure a wait is before a pool that computes prompts: near the edge of what the pool carries it grows
// many times as fast as prompts slow down, so that a first token is much less sure than a prompt is.

// A request of a service with two pools, on average.
struct WaitingPrompt {
    Seconds ttft;            // the wait in it
    Seconds wait;            // in line before the pool that computes prompts
    Seconds decodes;         // what the request takes after its first token
    double busy = 0;         // share of the pool's time that prompts take
    bool takesTurns = false; // users ask again when they have their answers
};

// How long it would wait were prompts and decodes so many times slower. Slower decodes keep users who take
// turns away from the line.
[[nodiscard]] Seconds waitWith(const WaitingPrompt& request, double prompts, double decodes);

// Deviation of the logarithm of a time to the first token that the wait adds to that of the prompt by itself.
// `prompts`, `decodes`: how unsure the pace of either pool is.
[[nodiscard]] double lnSpreadOfWait(const WaitingPrompt& request, double prompts, double decodes);

// Rows that were left out by source and whose time is prompts by more than half, but not of one request: to
// hold four errors of five, 514 of them (up to 80 % prompts) need 0.41 of the spread that first tokens of
// their engines need on a server at work, and 185 more (beyond) 0.34. The larger, rounded.
constexpr double ofManyPrompts = 0.4;
// How unsure the pace of many prompts is where that of one is unsure by `prompt`, of which the engine is
// `engine`.
[[nodiscard]] double lnSpreadOfPace(double prompt, double engine);

// A first token that finds its pool free, and how unsure the pace of either pool is, in ln.
struct FreePool {
    Estimate<Seconds> ttft;
    double prompts = 0;
    double decodes = 0;
};
// The same token where it waits: never sooner than where it does not.
[[nodiscard]] Estimate<Seconds> firstTokenAfter(const WaitingPrompt& request, const FreePool& pool);

} // namespace headroom
