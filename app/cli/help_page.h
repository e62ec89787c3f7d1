#pragma once

#include "app/cli/verb.h"
#include "model/words/text.h"

#include <string>

namespace headroom::cli {

// What `headroom --help` prints: every verb.
[[nodiscard]] std::string helpPage(ask::Language language);
// What `headroom VERB --help` prints: every flag of the verb, those of a scenario by what they are about.
[[nodiscard]] std::string helpPage(const Verb& verb, ask::Language language);

} // namespace headroom::cli
