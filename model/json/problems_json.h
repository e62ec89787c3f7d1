#pragma once

#include "model/base/result.h"

#include <string>

namespace headroom {

// {"schema": "headroom.error/1", "problems": [{"where", "what", "hint"}]}: what --json prints when a verb is
// refused.
[[nodiscard]] std::string problemsJson(const Problems& problems);

} // namespace headroom
