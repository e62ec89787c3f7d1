#pragma once

#include "model/advise/fitting_models.h"
#include "model/ask/question.h"
#include "model/report/columns.h"

#include <string>
#include <vector>

namespace headroom {

// The models as rows: what runs, or all of them; with a column that says so and why not.
[[nodiscard]] Table fittingTable(const std::vector<FittingModel>& models, bool all, bool reasons);

// "53 of 190 models run on 1 × NVIDIA GeForce RTX 5090; prompts of …".
[[nodiscard]] Message fittingSentence(const std::vector<FittingModel>& models, const Scenario& machine);

// The answer to a question for what runs on its machine: how many, how it was read, and which.
[[nodiscard]] std::string fittingText(const std::vector<FittingModel>& models, const Scenario& machine,
                                      const ask::Question& question, ask::Language language);

} // namespace headroom
