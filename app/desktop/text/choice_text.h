#pragma once

#include <QString>

namespace headroom {
struct Choice;
struct Choices;
struct Hint;
} // namespace headroom

namespace headroom::app {

[[nodiscard]] QString choiceTitle(const Choice& choice);        // "Cheapest that works, safe"
[[nodiscard]] QString recommendedWords(const Choices& choices); // why it is recommended
[[nodiscard]] QString hintTitle(const Hint& hint);              // "fp8 weights (50 % less)"
[[nodiscard]] QString hintWords(const Hint& hint);              // what it takes then, and in place of what

} // namespace headroom::app
