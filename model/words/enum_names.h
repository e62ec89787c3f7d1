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
// headroom::ask::Meaning::Filler; …]", and "(headroom::ask::Meaning)99" where none has the value.
template <auto constant>
[[nodiscard]] consteval std::string_view spelling()
{
    constexpr std::string_view key = "constant = ";
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find(key) + key.size());
    text = text.substr(0, text.find_first_of(";]"));
    return text.starts_with('(') ? std::string_view{} : text.substr(text.rfind(':') + 1);
}

// The constants of an enumeration that counts from zero.
template <typename E, std::size_t... i>
[[nodiscard]] consteval auto spellingsOf(std::index_sequence<i...>)
{
    return std::array{spelling<static_cast<E>(i)>()...};
}
template <typename E, std::size_t n = 0>
[[nodiscard]] consteval std::size_t countOf()
{
    if constexpr (spelling<static_cast<E>(n)>().empty())
        return n;
    else
        return countOf<E, n + 1>();
}
template <typename E>
constexpr auto spellings = spellingsOf<E>(std::make_index_sequence<countOf<E>()>());

// The one that the tables call so.
template <typename E>
[[nodiscard]] std::optional<E> constantCalled(std::string_view name)
{
    const auto* const found = std::find(spellings<E>.begin(), spellings<E>.end(), name);
    return found == spellings<E>.end() ? std::nullopt
                                       : std::optional(static_cast<E>(found - spellings<E>.begin()));
}

} // namespace headroom::ask
