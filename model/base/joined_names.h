#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace headroom {

template <std::size_t most>
struct JoinedNames {
    std::array<char, most> letters{};
    std::size_t size = 0;

    constexpr void add(std::string_view text)
    {
        for (const char letter : text)
            letters[size++] = letter;
    }
    [[nodiscard]] constexpr std::string_view text() const { return {letters.data(), size}; }
};

// The names of all kinds, worked out while compiling: "gpus, hour, tokens".
template <typename Kind, std::size_t n, typename NameOf>
[[nodiscard]] constexpr auto joinedNames(const std::array<Kind, n>& kinds, NameOf nameOf,
                                         std::string_view between)
{
    constexpr std::size_t longest = 32; // a name and what stands before it: more does not compile
    JoinedNames<longest * n> out;
    for (const Kind kind : kinds) {
        if (out.size > 0)
            out.add(between);
        out.add(nameOf(kind));
    }
    return out;
}

} // namespace headroom
