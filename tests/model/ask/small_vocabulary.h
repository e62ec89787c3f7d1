#pragma once

#include "model/words/vocabulary.h"

namespace headroom::tests {

// Names that the phrasing tables use, with the meanings the shipped catalogue gives them.
[[nodiscard]] ask::Vocabulary smallVocabulary();

} // namespace headroom::tests
