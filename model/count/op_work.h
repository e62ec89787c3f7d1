#pragma once

#include "model/count/op.h"

namespace headroom {

// The work of single operators from their shapes. The planner fills its steps with these, the executor
// declares each of its launches through them: an efficiency is always relative to the same counts.

struct GemmShape {
    double m = 0;                     // rows: tokens
    double n = 0;                     // columns of the result
    double k = 0;                     // length of the sum
    double weightBytesPerElement = 2; // scales included
    double activationBytes = 2;       // of one element
};
[[nodiscard]] Op gemmOp(OpName name, const GemmShape& shape, GemmClass cls, MathUnit unit);

struct AttentionShape {
    double batch = 0;       // sequences
    double queryTokens = 1; // new tokens of each
    double past = 0;        // tokens cached before them
    double limit = 0;       // window; 0: none
    double chunk = 0;       // a position sees its own chunk up to itself; 0: not chunked
    double span = 0;        // decodes: how far the sequences' contexts lie apart, evenly around `past`
    double queryHeads = 0;
    double kvHeads = 0;
    double headDim = 0;
    double kvBytesPerElement = 2;
    double activationBytes = 2;
};
// Causal attention of new prompt tokens over themselves and what is cached: half the square is counted.
[[nodiscard]] Op prefillAttentionOp(const AttentionShape& shape, MathUnit unit);
// Attention of running sequences over their whole cache.
[[nodiscard]] Op decodeAttentionOp(const AttentionShape& shape, MathUnit unit);

// Latent attention: `latent` + `rope` elements are cached per token. Absorbed in decode, expanded in prefill.
struct LatentShape {
    double batch = 0;
    double queryTokens = 1;
    double past = 0;
    double limit = 0; // keys that a sparse indexer chooses; 0: all
    double heads = 0;
    double latent = 0;
    double rope = 0;
    double nope = 0;
    double value = 0;
    double kvBytesPerElement = 2; // scales included
    double activationBytes = 2;
};
[[nodiscard]] Op prefillLatentOp(const LatentShape& shape, MathUnit unit);
[[nodiscard]] Op decodeLatentOp(const LatentShape& shape, MathUnit unit);

struct ExpertShape {
    double rows = 0;    // routed rows on this GPU, all experts
    double routed = 0;  // those of all ranks, which this GPU sorts; 0: the same
    double experts = 0; // of this GPU, chosen by some token
    double held = 0;    // of this GPU, chosen or not; 0: not known
    double tokens = 0;  // of all ranks, before each is copied for its experts; 0: not known
    double inner = 0;   // width in and out
    double slice = 0;   // intermediate width on this GPU
    bool gated = true;
    bool even = false; // as many rows to each expert
    double weightBytesPerElement = 2;
    double activationBytes = 2;
};
[[nodiscard]] Op expertOp(const ExpertShape& shape, GemmClass cls, MathUnit unit);

// Element-wise work: norms, rope, activations, gathers.
[[nodiscard]] Op streamOp(OpName name, double rows, double bytesPerRow, double kvBytesPerRow = 0);

// Norm fused with the residual: reads both, writes both.
[[nodiscard]] constexpr double normBytesPerRow(double width, double activationBytes)
{
    return 4 * width * activationBytes;
}
// Activation between the two halves of an MLP: reads one or two branches, writes one.
[[nodiscard]] constexpr double activationBytesPerRow(double width, bool gated, double activationBytes)
{
    return (gated ? 3 : 2) * width * activationBytes;
}
// Rotary embedding of q and k, and the new k and v into the cache.
[[nodiscard]] constexpr double ropeBytesPerRow(double queryWidth, double kvWidth, double activationBytes)
{
    return (2 * queryWidth + kvWidth) * activationBytes;
}
// Logits in fp32 read twice (maximum, then sum or sample): a sampler that does not sort.
[[nodiscard]] constexpr double samplingBytesPerRow(double vocab) { return 2 * vocab * 4; }

[[nodiscard]] Op collectiveOp(OpName name, CollectiveClass cls, double messageBytes, int ranks, int nodes);

// Tokens of a rank on their way to the ranks that hold their experts, or back. Kernels of large steps send a
// token once over the network to each node that has one of its experts, to the sender's equal there, which
// hands it on inside to each rank that has one; those of small steps send every copy straight away (DeepEP's
// normal and low-latency modes, deepseek-ai/DeepEP@004d6f9 README.md).
struct ExpertExchange {
    double rows = 0;   // tokens of a rank
    int chosen = 0;    // experts of a token
    double groups = 0; // of the experts; 0: they are not divided
    double groupsChosen = 0;
    double rowBytes = 0; // of one token
    int ranks = 1;
    int nodes = 1;
    bool straight = false;
};
// Of those that a token's experts stand on, the expected number.
struct TokenPlaces {
    double ranks = 1;
    double nodes = 1; // where it goes once to each
};
[[nodiscard]] TokenPlaces tokenPlaces(const ExpertExchange& exchange);
[[nodiscard]] Op expertExchangeOp(const ExpertExchange& exchange, const TokenPlaces& places);
[[nodiscard]] inline Op expertExchangeOp(const ExpertExchange& exchange)
{
    return expertExchangeOp(exchange, tokenPlaces(exchange));
}

// Expected number of equal `places`, each with a run of the experts in their order, that hold one of the
// experts chosen by a token: from some of the groups (DeepSeek-AI: DeepSeek-V3 Technical Report,
// arXiv 2412.19437, 2.1.2, node-limited routing).
[[nodiscard]] double distinctPlaces(double places, const ExpertExchange& exchange);

// Expected number of distinct experts that `tokens` tokens choose, `chosen` each, of `experts`.
[[nodiscard]] double distinctExperts(double experts, double chosen, double tokens);

// Mean number of keys a query of a causal prompt chunk sees: `past` cached ones and half of its own chunk, at
// most `limit`.
[[nodiscard]] double meanKeysSeen(double past, double queryTokens, double limit);
// The same of chunks, which are not windows: position p sees p mod chunk + 1 keys (Llama 4: transformers,
// masking_utils.py, chunked_overlay), half a chunk on average.
[[nodiscard]] double meanKeysInChunks(double past, double queryTokens, double chunk);

} // namespace headroom
