#pragma once

#include "model/base/units.h"
#include "model/deploy/deployment.h"
#include "model/memory/sequence_cache.h"

#include <array>
#include <cstdint>
#include <optional>

namespace headroom {

// What a deployment is asked to hold.
struct MemoryDemand {
    double sequences = 0;     // running at once in one replica
    double meanContext = 0;   // tokens cached per sequence, in the middle of its life
    double maxContext = 0;    // at the end of its life
    double batchedTokens = 0; // largest step; 0: the engine's budget, else maxContext
    double sampledRows
        = 0; // logits rows the engine provides for; 0: the engine's most sequences, else `sequences`
    double memoryFraction = 0; // 0: the engine's
};

// One GPU, the fullest of the replica.
struct GpuMemory {
    Bytes weights;
    Bytes kv; // pages of the demanded sequences at `meanContext`
    Bytes activation;
    Bytes runtime; // context, buffers, graphs
    Bytes used;
    Bytes usable;   // capacity x fraction
    Bytes capacity; // what the driver offers
};

struct MemoryPlan {
    bool fits = false; // weights, activation, runtime, and the demanded sequences
    GpuMemory perGpu;
    Bytes kvBytesPerToken;       // whole model, no replication
    Bytes kvPool;                // room for cache on the fullest GPU
    double kvCapacityTokens = 0; // one replica, all dp ranks
    double maxBatch = 0;         // sequences of `maxContext` that fit one replica
};
// Plans of one deployment under several demands: what does not depend on the demand is worked out once.
// Allocation free: a search asks it a million times.
class MemoryPlanner {
public:
    explicit MemoryPlanner(const Deployment& deployment);

    [[nodiscard]] MemoryPlan plan(const MemoryDemand& demand) const;

private:
    // What one GPU of a pipeline stage holds, whatever runs.
    struct Stage {
        Stage(const Deployment& deployment, int stage);
        StageCache cache;
        Bytes weights; // adapters and what drafts included
    };

    static constexpr std::size_t kept = 8; // stages beyond it are made anew for each plan
    Deployment m_deployment;
    Bytes m_kvBytesPerToken; // whole model
    bool m_even;             // capacity does not depend on lengths
    std::array<std::optional<Stage>, kept> m_stages;
};
[[nodiscard]] MemoryPlan planMemory(const Deployment& deployment, const MemoryDemand& demand);

} // namespace headroom
