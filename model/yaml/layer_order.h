#pragma once

#include "model/base/result.h"
#include "model/catalogue/llm_fields.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// The order of layers as text: `3 dense + 58 moe`, `10 (5 window + full) + 2 window`. At most `mostLayers` of
// them.
constexpr std::size_t mostLayers = most::layers;

[[nodiscard]] tl::expected<std::vector<std::uint8_t>, Message>
parseLayerOrder(std::string_view text, std::span<const std::string> names);
[[nodiscard]] std::string layerOrderText(std::span<const std::uint8_t> layers,
                                         std::span<const std::string> names);

} // namespace headroom
