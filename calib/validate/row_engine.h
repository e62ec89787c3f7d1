#pragma once

#include "model/base/result.h"
#include "model/catalogue/engine.h"
#include "model/measured/measured_row.h"
#include "model/yaml/catalogue.h"

#include <optional>
#include <string>

namespace headroom {

// The engine preset that a name and a version mean: the longest leading part of the version that the
// catalogue knows ("vLLM 0.11.2", "vLLM 0.11"), else the engine's newest preset. Where the accelerator is
// known, builds for its platform go first ("SGLang rocm 0.5.2").
[[nodiscard]] Result<const Engine*> engineOf(const Catalogue& catalogue, const std::string& name,
                                             const std::string& version, std::optional<Platform> on = {});

// Who does not say which version he ran mostly ran a new one: that of the month in which he measured, where
// he says when ("2025-10"). Else it was not older than his model, his card and his load tool: the year from
// which on all three were there. Empty where nobody says when the model came.
[[nodiscard]] std::string likelyRelease(const MeasuredRow& row, const Llm& llm, const Gpu& gpu);

// The month of the build that was measured, as far as its version, or else the run's date, tells. Empty where
// neither does.
[[nodiscard]] std::string monthOfBuild(const MeasuredRow& row, const Engine& engine);

} // namespace headroom
