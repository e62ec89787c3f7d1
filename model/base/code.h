#pragma once

#include <cstddef>
#include <string_view>

namespace headroom {

// The English template of a message as a value: only a literal is one.
struct Code {
    template <std::size_t N>
    consteval Code(const char (&literal)[N]) : text(literal, N - 1)
    {}
    std::string_view text;

    friend bool operator==(const Code&, const Code&) = default;
};

} // namespace headroom
