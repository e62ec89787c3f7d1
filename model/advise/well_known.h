#pragma once

#include <array>

namespace headroom {

// Accelerators that are offered where another was asked for: those that most providers rent out.
constexpr std::array wellKnownAccelerators{"h100-sxm-80gb", "h200-sxm-141gb", "b200-sxm-180gb",
                                           "instinct-mi300x"};

} // namespace headroom
