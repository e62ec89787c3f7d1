#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

namespace headroom::ask {

// A constant of an enumeration as the code spells it: no list of names can fall out of step with it.
// Compilers write the constant into the function's name: "… [with auto constant =
// headroom::ask::Meaning::Filler; …]".
template <auto constant>
[[nodiscard]] consteval std::string_view spelling()
{
    constexpr std::string_view key = "constant = ";
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find(key) + key.size());
    text = text.substr(0, text.find_first_of(";]"));
    return text.substr(text.rfind(':') + 1);
}

// The first n constants of an enumeration that counts from zero.
template <typename E, std::size_t n>
constexpr std::array<std::string_view, n> spellings = []<std::size_t... i>(std::index_sequence<i...>)
{
    return std::array<std::string_view, n>{spelling<static_cast<E>(i)>()...};
}
(std::make_index_sequence<n>());

// The constant of the first n that the tables call so.
template <typename E, std::size_t n>
[[nodiscard]] std::optional<E> constantCalled(std::string_view name)
{
    static constexpr auto& names = spellings<E, n>;
    const auto* const found = std::find(names.begin(), names.end(), name);
    return found == names.end() ? std::nullopt : std::optional(static_cast<E>(found - names.begin()));
}

} // namespace headroom::ask
