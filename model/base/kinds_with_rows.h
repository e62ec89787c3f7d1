#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

// For an enumeration whose values have a row each in a function `std::optional<Row> rowOf(Kind)`, a switch
// without a default: a value without a row does not compile, and where there is no row the values end.
namespace headroom {

// Every value, in order.
template <typename Row, typename Kind>
[[nodiscard]] consteval std::size_t countOfRows(std::optional<Row> (*rowOf)(Kind))
{
    std::size_t count = 0;
    while (rowOf(static_cast<Kind>(count)))
        ++count;
    return count;
}

template <std::size_t count, typename Row, typename Kind>
[[nodiscard]] consteval std::array<Kind, count> kindsOf(std::optional<Row> (*)(Kind))
{
    std::array<Kind, count> kinds{};
    for (std::size_t i = 0; i < count; ++i)
        kinds[i] = static_cast<Kind>(i);
    return kinds;
}

template <auto rowOf>
inline constexpr auto kindsWithRows = kindsOf<countOfRows(rowOf)>(rowOf);

// The value that is called so.
template <typename Kind, std::size_t count, typename NameOf>
[[nodiscard]] constexpr std::optional<Kind> kindNamed(const std::array<Kind, count>& kinds, NameOf nameOf,
                                                      std::string_view name)
{
    for (const Kind kind : kinds)
        if (nameOf(kind) == name)
            return kind;
    return std::nullopt;
}

} // namespace headroom
