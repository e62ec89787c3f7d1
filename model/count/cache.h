#pragma once

#include "model/base/dtype.h"
#include "model/base/units.h"
#include "model/catalogue/llm.h"
#include "model/deploy/layout.h"

#include <cstdint>

namespace headroom {

// Values that one layer's cache holds of one token; the keys and values of a window or chunk included.
[[nodiscard]] std::int64_t kvElementsPerToken(const Mixer& mixer);

// Values that one layer keeps of a sequence whatever its length: recurrent state and the tail of its
// convolution; of a compressing layer what is not merged yet, and its window.
struct StateElements {
    std::int64_t recurrent = 0;
    std::int64_t convolution = 0;
    std::int64_t window = 0;  // of whole keys, beside merged ones
    std::int64_t units = 0;   // heads or channels that ranks share out; 0: each has all
    int taps = 0;             // of the convolution
    DType type = DType::Bf16; // of the recurrent ones

    [[nodiscard]] bool any() const { return recurrent + convolution + window > 0; }
};
[[nodiscard]] StateElements stateElements(const Mixer& mixer);

// Tokens after which a layer's cache grows no more; 0: it always grows. The window of a compressing layer is
// part of its constant state: what grows are the merged tokens.
[[nodiscard]] std::int64_t cacheCap(const Mixer& mixer);

// Tokens of a sequence of `context` that one layer still holds.
[[nodiscard]] double cachedTokens(const Mixer& mixer, double context);

// Bytes of one token in one layer of latent attention. Where an indexer chooses keys (DeepSeek-V3.2), its key
// has a type of its own, 8 bits and a 4-byte scale for each 128 whatever the cache's type, and a latent in 8
// bits has such scales too, its rotated part 16 bits (vLLM: v1/attention/backends/mla/indexer.py,
// flashmla_sparse.py).
struct LatentBytes {
    double attended = 0; // that attention reads of a chosen token
    double index = 0;    // that choosing reads
};
[[nodiscard]] LatentBytes latentBytesPerToken(const Mla& mixer, DType kv);

// Storage of one cached value, scales included.
[[nodiscard]] Bytes kvBytesPerElement(DType kv);

// Cache growth per token of a sequence shorter than every window: the figure texts quote. Whole model, no
// replication.
[[nodiscard]] Bytes kvBytesPerToken(const Llm& llm, DType kv);

// Cache of one sequence of `context` tokens, whole model: windows and chunks capped, constant states
// included.
[[nodiscard]] Bytes cacheBytes(const Llm& llm, DType kv, double context);

// Constant per-sequence state (linear attention, state space), whole model.
[[nodiscard]] Bytes stateBytes(const Llm& llm);

// What one GPU holds of one layer: key-value heads split over tp and replicated when tp > kvHeads, MLA and
// the indexer's keys copied to every tp rank, recurrent heads split.
[[nodiscard]] Bytes layerKvBytesPerToken(const Mixer& mixer, DType kv, int tp);
[[nodiscard]] Bytes layerStateBytes(const Mixer& mixer, int tp);

// What one GPU of pipeline stage `stage` holds of one sequence, in blocks of `blockTokens` (0 or 1: exact). A
// window that slides over blocks straddles one more than it fills.
[[nodiscard]] Bytes cacheBytesPerGpu(const Llm& llm, DType kv, const Layout& layout, int stage,
                                     double context, int blockTokens);

} // namespace headroom
