#pragma once

#include "model/catalogue/llm.h"

#include <algorithm>
#include <array>
#include <cstdint>

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
    const auto stop = llm.layers.begin() + end;
    for (auto run = llm.layers.begin() + first; run != stop;) { // equal layers mostly follow one another
        const auto next = std::find_if(run, stop, [run](std::uint8_t kind) { return kind != *run; });
        out[*run] = static_cast<std::uint16_t>(out[*run] + (next - run));
        run = next;
    }
    return out;
}
[[nodiscard]] inline LayerCounts layerCounts(const Llm& llm) { return layerCounts(llm, 0, llm.layerCount()); }

} // namespace headroom
