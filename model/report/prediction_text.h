#pragma once

#include "model/closed_form/prediction.h"
#include "model/resolve/resolve.h"

#include <string>

namespace headroom {

// One calm screen: the answer first, then memory, cost and limits, and what was assumed.
[[nodiscard]] std::string predictionText(const Resolved& resolved, const Prediction& prediction);

// The same for a document.
[[nodiscard]] std::string predictionMarkdown(const Resolved& resolved, const Prediction& prediction);

} // namespace headroom
