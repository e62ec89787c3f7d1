#pragma once

#include "model/base/result.h"
#include "model/efficiency/efficiency_set.h"

#include <filesystem>
#include <string>

namespace headroom {

// A calibration or a family's priors. Forms that the file does not name are those of `base`, whose sources
// they keep.
[[nodiscard]] Result<EfficiencySet> readEfficiencySet(const std::string& text, const std::string& file,
                                                      const EfficiencySet& base = {});

// What hw_profiles/priors holds for a family of accelerators.
[[nodiscard]] Result<EfficiencySet> readPrior(const std::filesystem::path& root, const std::string& family);

// Only the forms whose source is not `Prior` are written, or all of them when `whole`.
[[nodiscard]] std::string efficiencyYaml(const EfficiencySet& set, bool whole = false);

} // namespace headroom
