#pragma once

#include "model/base/figure_text.h"

#include <string>

namespace headroom {

// A figure in a sentence, never with a power of ten: "0.123", "12.3", "50000".
[[nodiscard]] inline std::string threeDigits(double value) { return fewDigits(value, 3); }

} // namespace headroom
