#pragma once

#include "model/scenario/length_distribution.h"

namespace headroom {

// Lengths of real conversations of which only the mean is known.
[[nodiscard]] LengthDistribution questionLengths(double mean);
[[nodiscard]] LengthDistribution answerLengths(double mean);
// Of questions chosen by their length and answers that a limit cuts, as a benchmark of its own prompts has
// them.
[[nodiscard]] LengthDistribution chosenQuestionLengths(double mean);
[[nodiscard]] LengthDistribution cutAnswerLengths(double mean);

} // namespace headroom
