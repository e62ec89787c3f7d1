#pragma once

#include "model/plan/layout.h"

#include <string>

namespace headroom {

// "TP 4", "TP 8 × PP 2, 3 replicas", "1 GPU": only what is split.
[[nodiscard]] std::string layoutText(const Layout& layout);

} // namespace headroom
