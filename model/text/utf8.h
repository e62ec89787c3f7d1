#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace headroom {

// A character of UTF-8 text: its code point and how many bytes it takes; U+FFFD and none where no valid
// sequence begins (overlong forms and surrogates are not).
struct Utf8Character {
    char32_t code = 0xFFFD;
    std::size_t bytes = 0;
};
[[nodiscard]] Utf8Character utf8At(std::string_view text, std::size_t at);

void appendUtf8(std::string& out, char32_t code);

} // namespace headroom
