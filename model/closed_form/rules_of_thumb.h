#pragma once

#include "model/base/code.h"
#include "model/base/units.h"

#include <span>

namespace headroom {

// Estimates that fit on the back of an envelope: shown beside the exact figures, to build intuition and to
// check them.

// Forward pass of `tokens` tokens: 2 x params x tokens (one multiply and one add for each weight).
[[nodiscard]] Flops forwardFlops(double activeParams, double tokens);

// What serving would be without a KV cache: every new token computes its whole prompt again, so the GPUs give
// gpus x peak x utilisation / (2 x params x prompt) tokens a second.
[[nodiscard]] TokensPerSecond tokensPerSecondWithoutCache(double gpus, FlopsPerSecond peak,
                                                          double utilisation, double activeParams,
                                                          double promptTokens);

// Reading the weights once: no decode step of any batch is faster.
[[nodiscard]] Seconds weightReadingTime(Bytes weights, BytesPerSecond bandwidth);

// Time for one token at which text appears as fast as someone takes it in: 60 / (words a minute x tokens a
// word).
[[nodiscard]] Seconds tpotForReading(double wordsPerMinute, double tokensPerWord);

struct ReadingSpeed {
    Code who;
    double wordsPerMinute;
};
constexpr double tokensPerWord = 1.5; // English and code mixed; plain English is nearer 1.3
[[nodiscard]] std::span<const ReadingSpeed> readingSpeeds();

} // namespace headroom
