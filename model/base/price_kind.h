#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace headroom {

// How long a rented machine is one's own.
enum class PriceKind : std::uint8_t {
    OnDemand, // until it is given back
    Reserved, // for a stated time that is paid whatever is used
    Spot      // until somebody pays more for it
};

inline constexpr std::array<std::string_view, 3> priceKindNames{"on-demand", "reserved", "spot"};
[[nodiscard]] constexpr std::string_view name(PriceKind kind)
{
    return priceKindNames[static_cast<std::size_t>(kind)];
}
[[nodiscard]] constexpr std::optional<PriceKind> priceKindOf(std::string_view name)
{
    for (std::size_t i = 0; i < priceKindNames.size(); ++i)
        if (priceKindNames[i] == name)
            return static_cast<PriceKind>(i);
    return std::nullopt;
}

} // namespace headroom
