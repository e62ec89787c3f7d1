#pragma once

#include "checkpoint.h"

#include <string>

namespace headroom::twin {

// Cache of one token in one layer before any window, in values; states of a sequence in bytes.
[[nodiscard]] double cachedValues(const LayerSpec& layer);
[[nodiscard]] double stateBytes(const LayerSpec& layer);
// Tokens of a sequence that the layer still holds.
[[nodiscard]] double tokensHeld(const LayerSpec& layer, double context);

[[nodiscard]] double cacheBytesPerToken(const ModelSpec& model, double valueBytes);
// Of one sequence; on one GPU of a stage, its heads dealt out or copied.
[[nodiscard]] double cacheBytes(const ModelSpec& model, double valueBytes, double context);
[[nodiscard]] double cacheBytesPerGpu(const ModelSpec& model, double valueBytes, const Spread& spread,
                                      int stage, double context);

// What one step runs: prompts of `promptTokens` new tokens behind `past` cached ones, and decodes.
struct Step {
    double prompts = 0, promptTokens = 0, past = 0;
    double decodes = 0, context = 0;

    [[nodiscard]] double tokens() const { return prompts * promptTokens + decodes; }
    [[nodiscard]] double sampled() const { return prompts + decodes; }
};

// On one GPU of a stage. The sums leave out what no figure of a buyer feels: norms, biases, activations.
struct Work {
    double matrixFlops = 0;    // of matrices as wide as the weights' type says
    double keptFlops = 0;      // of matrices that a quantised checkpoint keeps in 16 bit
    double attentionFlops = 0; // and of recurrences
    double weightBytes = 0;
    double cacheBytes = 0;                 // of decodes: keys and values read, the new ones written
    double indexFlops = 0, indexBytes = 0; // of a sparse attention's indexer
    double stateTraffic = 0;               // recurrent states read and written by decodes

    [[nodiscard]] double flops() const { return matrixFlops + keptFlops + attentionFlops + indexFlops; }
    [[nodiscard]] double bytes() const { return weightBytes + cacheBytes + indexBytes + stateTraffic; }
};
[[nodiscard]] Work workOf(const ModelSpec& model, const std::string& type, double valueBytes,
                          const Spread& spread, int stage, const Step& step);

// Keys that one query sees on average, its own included, in a causal prompt of `tokens` behind `past`.
[[nodiscard]] double meanKeys(const LayerSpec& layer, double past, double tokens);

// Experts of `experts` that some of `tokens` tokens chose, `chosen` each, when popularity falls off
// exponentially (the program's documented choice, docs/counting.md).
[[nodiscard]] double expertsChosen(double experts, double chosen, double tokens);

// What physics allows a GPU at best: as many operations a second by type, so many bytes.
struct Machine {
    double matrixPeak = 0; // of the weights' type
    double sixteenPeak = 0;
    double indexPeak = 0;
    double bandwidth = 0;
};
// No step is faster: all bytes move, all operations are done.
[[nodiscard]] double floorSeconds(const Work& work, const Machine& machine);

} // namespace headroom::twin
