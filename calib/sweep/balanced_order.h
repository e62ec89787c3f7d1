#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom {

// The cells of a rows x columns grid (row * columns + column), each once, in an order of which every prefix
// is balanced: after p cells each row was taken floor(p / rows) or ceil(p / rows) times, and the columns
// differ by one at most as well. `seed` says where the order starts.
[[nodiscard]] std::vector<std::size_t> balancedOrder(std::size_t rows, std::size_t columns,
                                                     std::uint64_t seed);

} // namespace headroom
