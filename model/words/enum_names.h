#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

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

// The constant that the tables call so, of an enumeration that counts from zero.
template <typename E, std::size_t n = 0>
[[nodiscard]] std::optional<E> constantCalled(std::string_view name)
{
    constexpr auto constant = static_cast<E>(n);
    if constexpr (spelling<constant>().empty())
        return std::nullopt;
    else
        return name == spelling<constant>() ? std::optional(constant) : constantCalled<E, n + 1>(name);
}

} // namespace headroom::ask
