#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace headroom::ask {

// The languages that questions are understood in and answers are written in.
enum class Language : std::uint8_t { English, Chinese };

[[nodiscard]] Language languageOf(std::string_view text);

// How many signs of kana and Hangul, and how many words of Cyrillic: neither language is written so.
[[nodiscard]] std::size_t foreignIn(std::string_view text);

} // namespace headroom::ask
