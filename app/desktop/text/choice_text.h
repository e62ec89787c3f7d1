#pragma once

#include <QString>

namespace headroom {
struct Choice;
struct Choices;
} // namespace headroom

namespace headroom::app {

[[nodiscard]] QString choiceTitle(const Choice& choice);        // "Cheapest that works, safe"
[[nodiscard]] QString recommendedWords(const Choices& choices); // why it is recommended

} // namespace headroom::app
