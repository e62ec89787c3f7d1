#pragma once

#include "model/closed_form/prediction.h"
#include "model/json/value_json.h"

namespace headroom {

// "params", "memory", "prefill", "decode", "request" and "service" of a document that holds a prediction.
[[nodiscard]] Json predictionJson(const Deployment& deployment, const Prediction& prediction);

// Of a replica's weights; null where the box's storage or link is not known.
[[nodiscard]] Json loadingJson(const Deployment& deployment);

} // namespace headroom
