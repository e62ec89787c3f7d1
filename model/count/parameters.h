#pragma once

#include "model/catalogue/llm.h"

#include <cstdint>

namespace headroom {

// Parameters by part, exact. `total` is the text model as executed: a tied head once, no MTP, no vision.
struct ParameterCount {
    std::int64_t embedding = 0; // token and position tables
    std::int64_t mixers = 0;    // attention, MLA, state-space and linear mixers, with their norms and biases
    std::int64_t denseMlp = 0;
    std::int64_t routers = 0;
    std::int64_t experts = 0; // routed
    std::int64_t sharedExperts = 0;
    std::int64_t norms = 0;
    std::int64_t head = 0; // zero when tied
    std::int64_t mtp = 0;
    std::int64_t total = 0;
    std::int64_t active
        = 0; // total minus the routed experts a token does not choose; embedding and head included
    std::int64_t comparable = 0; // in the convention of `Llm::published.includes`

    friend bool operator==(const ParameterCount&, const ParameterCount&) = default;
};
[[nodiscard]] ParameterCount countParameters(const Llm& llm);

// Of one layer of a kind, by the same parts; embedding, head, mtp and the totals stay zero.
[[nodiscard]] ParameterCount countLayer(const Llm& llm, const LayerKind& kind);

} // namespace headroom
