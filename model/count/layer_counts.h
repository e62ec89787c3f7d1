#pragma once

#include "model/catalogue/llm.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace headroom {

constexpr std::size_t maxLayerKinds = 64; // the model reader refuses more

// Layers by kind.
using LayerCounts = std::array<std::uint16_t, maxLayerKinds>;

// Those from `first` to one before `end`, all kinds in one go: a search counts them a million times.
[[nodiscard]] inline LayerCounts layerCounts(const Llm& llm, std::int64_t first, std::int64_t end)
{
    LayerCounts out{};
    if (llm.kinds.size() == 1) {
        out[0] = static_cast<std::uint16_t>(end - first);
        return out;
    }
    const std::uint8_t* const stop = llm.layers.data() + end;
    for (const std::uint8_t* run = llm.layers.data() + first; run != stop;) {
        const std::uint8_t* next = run; // equal layers mostly follow one another: eight are looked at at once
        const std::uint64_t alike = *run * std::uint64_t{0x0101010101010101};
        for (std::uint64_t eight = 0; stop - next >= std::ptrdiff_t{sizeof eight}; next += sizeof eight) {
            std::memcpy(&eight, next, sizeof eight);
            if (eight != alike)
                break;
        }
        next = std::find_if(next, stop, [run](std::uint8_t kind) { return kind != *run; });
        out[*run] = static_cast<std::uint16_t>(out[*run] + (next - run));
        run = next;
    }
    return out;
}
[[nodiscard]] inline LayerCounts layerCounts(const Llm& llm) { return layerCounts(llm, 0, llm.layerCount()); }

} // namespace headroom
