#pragma once

#include "model/base/dtype.h"
#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/llm.h"
#include "model/catalogue/node.h"
#include "model/deploy/layout.h"
#include "model/efficiency/efficiency_set.h"

#include <cstdint>
#include <optional>

namespace headroom {

struct SpeculativeDecoding {
    enum class Kind : std::uint8_t { None, DraftModel, NGram, Mtp };
    Kind kind = Kind::None;
    int draftTokens = 0;        // g
    double acceptance = 0;      // a, of one drafted token
    const Llm* draft = nullptr; // DraftModel only

    friend bool operator==(const SpeculativeDecoding&, const SpeculativeDecoding&) = default;
};

// What is paid besides a price for each GPU.
struct SaleTerms {
    int unit = 1;               // GPUs are paid in multiples of it
    DollarsPerSecond perBox;    // of the box around them; nothing: it is in the GPUs' price
    DollarsPerSecond perLinked; // of a box's network where there are several boxes
    friend bool operator==(const SaleTerms&, const SaleTerms&) = default;
};

// Everything resolved: one model on one kind of machine with one engine and layout. Cheap to copy; owns
// nothing: the catalogue outlives it.
struct Deployment {
    const Llm* llm = nullptr;
    const Gpu* gpu = nullptr;
    const Node* node = nullptr;
    const Engine* engine = nullptr;
    const EfficiencySet* efficiency = nullptr;
    Layout layout;
    DType weights = DType::Bf16;
    DType kv = DType::Bf16;
    MathUnit compute = MathUnit::Bf16;
    SpeculativeDecoding speculative;
    int loraAdapters = 0;
    int loraRank = 0;
    int beams = 1;
    double overheadMultiplier = 1;              // privacy-preserving inference and the like
    double prefillSkipped = 0;                  // SwiftKV: share of prefill compute saved
    std::optional<ExpertBalance> expertBalance; // as stated
    bool newExperts = false;      // came out when the engine's build did: kernels for its experts' shapes too
    bool overlapsBatches = false; // two micro-batches: one exchanges tokens while the other computes
    bool dynamicChunks = false;   // later parts of a long prompt are shorter, so that each takes as long
    SaleTerms terms;
    double ownPowerPrice
        = 0; // dollars that a kWh of the machines costs who owns them, PUE put in; 0: in the rent

    // Who keeps further copies of experts moves them to where the load is.
    [[nodiscard]] ExpertBalance balance() const
    {
        return expertBalance.value_or(layout.redundantExperts > 0 ? ExpertBalance::Balanced
                                                                  : ExpertBalance::AsRouted);
    }
    friend bool operator==(const Deployment&, const Deployment&) = default;
};

} // namespace headroom
