#pragma once

#include "model/base/result.h"
#include "model/catalogue/engine.h"
#include "model/measured/measured_row.h"
#include "model/yaml/catalogue.h"

#include <string>

namespace headroom {

// The engine preset that a name and a version mean: the longest leading part of the version that the
// catalogue knows ("vLLM 0.11.2", "vLLM 0.11"), else the engine's newest preset.
[[nodiscard]] Result<const Engine*> engineOf(const Catalogue& catalogue, const std::string& name,
                                             const std::string& version);

// Who does not say which version he ran did not run one older than his model, his card and his load tool, and
// what is tested is mostly new: the year from which on all three were there. Empty where nobody says when the
// model came.
[[nodiscard]] std::string likelyYear(const MeasuredRow& row, const Llm& llm, const Gpu& gpu);

} // namespace headroom
