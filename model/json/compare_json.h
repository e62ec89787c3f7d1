#pragma once

#include "model/report/comparison.h"

#include <string>
#include <vector>

namespace headroom {

// {"schema": "headroom.compare/1", "candidates": [{"label", "scenario", … as in predict, "assumptions",
// "warnings"}]}
[[nodiscard]] std::string compareJson(const std::vector<Compared>& compared);

} // namespace headroom
