#pragma once

#include "model/json/value_json.h"
#include "model/plan/prediction.h"

namespace headroom {

// "params", "memory", "prefill", "decode", "request" and "service" of a document that holds a prediction.
[[nodiscard]] Json predictionJson(const Deployment& deployment, const Prediction& prediction);

} // namespace headroom
