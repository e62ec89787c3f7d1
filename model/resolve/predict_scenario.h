#pragma once

#include "model/closed_form/prediction.h"
#include "model/resolve/resolve.h"

namespace headroom {

// What is told of a settled scenario: at its batch, or of the rate of requests that it states.
[[nodiscard]] Prediction predictScenario(const Resolved& resolved);

} // namespace headroom
