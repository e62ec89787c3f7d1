#pragma once

#include "model/plan/prediction.h"
#include "model/plan/resolve.h"

#include <string>

namespace headroom {

// {"schema": "headroom.predict/1", …}
[[nodiscard]] std::string predictJson(const Resolved& resolved, const Prediction& prediction);

} // namespace headroom
