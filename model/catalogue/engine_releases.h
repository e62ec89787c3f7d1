#pragma once

#include "model/catalogue/engine.h"

#include <optional>
#include <string_view>

namespace headroom {

// When versions of an engine came out, and how old a model was then. Months are "2025-10".

// A month in its count of months; nothing of another text, "2025" among them.
[[nodiscard]] std::optional<int> monthNumber(std::string_view month);

// Of the version, or of the one that it begins with: "0.5.6.post2" is of "0.5.6". Else of the first that
// begins with it: "0.11" is of "0.11.0". Empty where the engine notes none such.
[[nodiscard]] std::string_view monthOf(const Engine& engine, std::string_view version);

// Of the engine's newest version. Empty where none is noted.
[[nodiscard]] std::string_view newestMonth(const Engine& engine);

} // namespace headroom
