#pragma once

#include <fmt/format.h>
#include <string>

namespace headroom {

// "91 %", "> 99 %", "< 1 %": nothing that is predicted is certain or impossible.
[[nodiscard]] inline std::string chanceText(double probability)
{
    constexpr double sure = 0.995; // rounded, it would be certain
    if (probability >= sure)
        return "> 99 %";
    return probability > 0 && probability < 1 - sure ? "< 1 %" : fmt::format("{:.0f} %", probability * 100);
}

} // namespace headroom
