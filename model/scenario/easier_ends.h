#pragma once

#include "model/base/message.h"
#include "model/base/result.h"
#include "model/scenario/scenario.h"

#include <optional>

namespace headroom {

// The scenario with the easier ends of its ranges, which are none then; empty where no range was said.
[[nodiscard]] std::optional<Scenario> withEasierEnds(const Scenario& asked);
// Those ends: "16 users at once, 20 tokens/s for each user".
[[nodiscard]] Message easierEndsText(const Scenario& asked);
// What cannot be worked out for a range: one line for each.
[[nodiscard]] Problems rangeProblems(const Scenario& asked);

} // namespace headroom
