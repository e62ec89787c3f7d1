#pragma once

#include "model/base/units.h"
#include "model/closed_form/scheduling.h"
#include "model/serve/kv_pool.h"

#include <cstdint>

namespace headroom::serve {

// A request inside a replica.
struct Sequence {
    std::int32_t request = -1;
    std::int32_t prompt = 0;
    std::int32_t output = 0;
    std::int32_t target
        = 0; // tokens to compute before the next token comes out: the prompt, after a preemption more
    std::int32_t computed = 0; // tokens in the cache
    std::int32_t generated = 0;
    std::int32_t appended = 0; // forced tokens that enter the cache with the next step
    bool decoding = false;
    bool holdsSlotOnly = false; // static batching: finished, waits for the longest
    std::int64_t since = 0;     // round of its Decoders at which it was as it says
    Seconds lastToken;
    KvPool::Lease lease;
    double speculated = 0; // mean yield of speculation: fraction of a token carried to the next step
    double forced = 0;     // the same for tokens that a grammar forces

    [[nodiscard]] std::int32_t remaining() const { return output - generated; }
    // Tokens that its next decode step writes into the cache at most.
    [[nodiscard]] std::int32_t decodeWrites(const Scheduling& scheduling) const
    {
        return 1 + scheduling.speculation.draftTokens + appended;
    }
};

} // namespace headroom::serve
