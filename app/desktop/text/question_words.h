#pragma once

#include "model/ask/question.h"

#include <optional>

namespace headroom {
class Catalogue;
}

namespace headroom::app {

// The question that a scenario is named by, where the name is one that asks for this scenario and for nothing
// else; its reading is said in `speak`.
[[nodiscard]] std::optional<ask::Question> questionOf(const Scenario& scenario, const Catalogue& catalogue,
                                                      ask::Language speak);

// The words of `question`, which asked for `before`, changed so that they ask for `after`: the phrase that
// was read as the one thing that differs says the new value. Nothing where no phrase does.
[[nodiscard]] std::optional<ask::Question> toldAnew(const ask::Question& question, const Scenario& before,
                                                    const Scenario& after, const Catalogue& catalogue,
                                                    ask::Language speak);

} // namespace headroom::app
