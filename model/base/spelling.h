#pragma once

#include "model/base/message.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// Insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b`, ASCII case ignored
// (optimal string alignment distance); of more than `most` only that they are more.
[[nodiscard]] std::size_t editDistance(std::string_view a, std::string_view b,
                                       std::size_t most = std::string_view::npos);

// The candidates closest to what was typed, closest first; none when nothing is near enough to be meant.
[[nodiscard]] std::vector<std::string>
nearestSpellings(std::string_view typed, std::span<const std::string> known, std::size_t atMost = 3);

// The ids and what they begin with, as many of their words as were typed: "h1000" is near "h100", though not
// near "h100-sxm-80gb".
[[nodiscard]] std::vector<std::string> withBeginnings(std::span<const std::string> ids,
                                                      std::string_view typed);

// "did you mean 'a' or 'b'?", empty when nothing is near.
[[nodiscard]] Message spellingHint(std::string_view typed, std::span<const std::string> known);

} // namespace headroom
