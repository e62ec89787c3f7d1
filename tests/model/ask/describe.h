#pragma once

#include "model/ask/question.h"

#include <string>
#include <string_view>

namespace headroom::tests {

// Kind and scenario of a question as one line, fields that keep their default left out: what the tables
// compare.
[[nodiscard]] std::string describe(const ask::Question& question);

// The same of a text read with `smallVocabulary`; "refused: …" with every problem when it is refused.
[[nodiscard]] std::string answered(std::string_view text);

} // namespace headroom::tests
