#pragma once

#include "model/base/units.h"
#include "model/catalogue/llm.h"
#include "model/deploy/layout.h"

namespace headroom {

// Values one token keeps alive at the widest moment of a layer of this kind, on one GPU: the residual stream
// and what the operator reads and writes.
[[nodiscard]] double liveValuesPerToken(const Llm& llm, const LayerKind& kind, const Layout& layout);

// Peak of one step on the GPUs that run `stages` of the layers: the widest live set in 16 bit, or, on the
// last stage, the hidden states beside the sampler's logits.
struct ActivationDemand {
    double batchedTokens = 0;
    double sampledRows = 0;
    double logitsCopies = 1; // fp32
    bool lastStage = true;
};
// Buffers that an engine makes at its start for so many tokens: two rows of 32 bits of the model's width for
// each, and the logits of all of them (llama.cpp's sched_reserve).
[[nodiscard]] Bytes computeBufferBytes(const Llm& llm, double tokens);
[[nodiscard]] Bytes activationBytes(const Llm& llm, const Layout& layout, const ActivationDemand& demand);

} // namespace headroom
