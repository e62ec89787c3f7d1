#pragma once

#include "model/closed_form/prediction.h"
#include "model/resolve/resolve.h"
#include "model/words/text.h"

#include <string>

namespace headroom {

// One calm screen: the answer first, then memory, cost and limits, and what was assumed.
[[nodiscard]] std::string predictionText(const Resolved& resolved, const Prediction& prediction,
                                         ask::Language language);

// The same for a document.
[[nodiscard]] std::string predictionMarkdown(const Resolved& resolved, const Prediction& prediction,
                                             ask::Language language);

} // namespace headroom
