#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace headroom {

// The cells of a rows x columns grid (row * columns + column), each once, in an order of which any prefix is
// spread evenly over both axes: the additive recurrence of the plastic number (Roberts, "The unreasonable
// effectiveness of quasirandom sequences", 2018), started from `seed`.
[[nodiscard]] std::vector<std::size_t> balancedOrder(std::size_t rows, std::size_t columns,
                                                     std::uint64_t seed);

} // namespace headroom
