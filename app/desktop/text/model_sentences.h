#pragma once

#include <span>

namespace headroom::app {

// The sentences and words of the model, marked for translation; %1 … %9 stand for names and numbers.
[[nodiscard]] std::span<const char* const> modelSentences();

} // namespace headroom::app
