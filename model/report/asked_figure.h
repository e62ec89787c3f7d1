#pragma once

#include "model/ask/question.h"
#include "model/search/search.h"

#include <cstdint>

namespace headroom {

// What candidates are held beside each other by: the figure that was asked for.
enum class AskedFigure : std::uint8_t { SpeedOfAUser, UsersAtOnce, TokensInTotal };
[[nodiscard]] AskedFigure askedFigure(const SizingPlan& plan, const ask::Question* question);

// Tokens of answers a second of the whole service at its load: what its users wait for their answers, prompts
// included.
[[nodiscard]] double tokensInTotal(const SizingPlan& plan, const Candidate& candidate);

} // namespace headroom
