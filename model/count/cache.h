#pragma once

#include "model/catalogue/llm.h"
#include "model/dtype.h"
#include "model/plan/layout.h"
#include "model/units.h"

namespace headroom {

// Cache growth per token of a sequence shorter than every window: the figure texts quote. Whole model, no replication.
[[nodiscard]] Bytes kvBytesPerToken(const Llm& llm, DType kv);

// Cache of one sequence of `context` tokens, whole model: windows and chunks capped, constant states included.
[[nodiscard]] Bytes cacheBytes(const Llm& llm, DType kv, double context);

// Constant per-sequence state (linear attention, state space), whole model.
[[nodiscard]] Bytes stateBytes(const Llm& llm);

// What one GPU of pipeline stage `stage` holds of one sequence: heads split over tp, replicated when tp > kvHeads,
// MLA copied to every tp rank, blocks of `blockTokens` (0 or 1: exact).
[[nodiscard]] Bytes cacheBytesPerGpu(const Llm& llm, DType kv, const Layout& layout, int stage, double context,
                                     int blockTokens);

} // namespace headroom
