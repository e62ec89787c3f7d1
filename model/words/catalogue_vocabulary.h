#pragma once

#include "model/words/vocabulary.h"

namespace headroom {

class Catalogue;

// The names of a catalogue as a sentence may use them. Stricter than the lookup of a name that is known to be
// one: "chat", "80GB" or "3" stand in names, but alone in a sentence they mean something else. The catalogue
// must outlive it.
[[nodiscard]] ask::Vocabulary vocabularyOf(const Catalogue& catalogue);

} // namespace headroom
