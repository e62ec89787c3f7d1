#pragma once

#include <span>

namespace headroom::app {

// The sentences and words of the model, marked for translation; %1 … %9 stand for names and numbers.
[[nodiscard]] std::span<const char* const> modelSentences();
// Names of usual boxes that are descriptions.
[[nodiscard]] std::span<const char* const> machineNames();
// Those of explanations: formulas, symbols, and where numbers are from.
[[nodiscard]] std::span<const char* const> explanationSentences();

} // namespace headroom::app
