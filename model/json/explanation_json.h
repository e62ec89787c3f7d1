#pragma once

#include "model/report/explain.h"

#include <string>
#include <vector>

namespace headroom {

// {"schema": "headroom.explain/1", "explanations": […]}
[[nodiscard]] std::string explanationsJson(const std::vector<Explanation>& explanations);

} // namespace headroom
