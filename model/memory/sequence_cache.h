#pragma once

#include "model/base/dtype.h"
#include "model/base/units.h"
#include "model/catalogue/llm.h"
#include "model/count/weights.h"

#include <array>
#include <cstdint>
#include <span>

namespace headroom {

// How an engine cuts the cache of one stage into pages on one GPU.
struct CachePages {
    const Llm* llm = nullptr;
    DType kv = DType::Bf16;
    int tp = 1;
    StageRange layers;
    int blockTokens = 16;       // 0 or 1: exact
    bool unified = false;       // hybrid models: pages of one size, shared by groups of layers
    bool chunksHoldAll = false; // layers that attend in chunks keep every token
};

// What sequences cost one GPU of that stage. Worked out once; a plan asks it for several lengths.
class StageCache {
public:
    explicit StageCache(const CachePages& pages);

    [[nodiscard]] Bytes sequence(double context) const;
    [[nodiscard]] Bytes perToken() const; // of a sequence within every window

private:
    // Layers that one rule holds for: the same window, the same bytes.
    struct Bucket {
        std::int64_t cap = 0; // window or chunk; 0: every token
        Bytes perToken;       // of one layer
        Bytes state;          // of one layer
        int layers = 0;
    };
    void add(const Bucket& bucket);
    [[nodiscard]] std::span<const Bucket> buckets() const { return {m_buckets.data(), m_size}; }
    [[nodiscard]] Bytes exact(double context) const;
    [[nodiscard]] Bytes inBlocks(double context, double block) const;
    [[nodiscard]] Bytes inUnifiedPages(double context, double block) const;

    static constexpr std::size_t most = maxCacheKinds;
    std::array<Bucket, most> m_buckets;
    std::size_t m_size = 0;
    double m_blockTokens;
    bool m_unified;
};

// True when every layer that caches anything keeps all tokens: then capacity does not depend on lengths.
[[nodiscard]] bool growsEvenly(const Llm& llm, bool chunksHoldAll = false);

} // namespace headroom
