#pragma once

#include <cmath>
#include <fmt/format.h>
#include <string>

namespace headroom {

// A figure in a sentence, never with a power of ten: "0.123", "12.3", "50000".
[[nodiscard]] inline std::string threeDigits(double value)
{
    constexpr double most = 999.5; // what three digits hold
    return std::abs(value) < most ? fmt::format("{:.3g}", value) : fmt::format("{:.0f}", value);
}

} // namespace headroom
