#pragma once

#include "model/closed_form/prediction.h"
#include "model/resolve/resolve.h"

#include <string>

namespace headroom {

// {"schema": "headroom.predict/1", …}
[[nodiscard]] std::string predictJson(const Resolved& resolved, const Prediction& prediction);

} // namespace headroom
