#pragma once

#include "spec.h"

#include <filesystem>
#include <optional>
#include <string>

namespace headroom::twin {

// From a published config.json, key by key as the model's own code reads it. Empty where the class is not
// one of those written down here.
[[nodiscard]] std::optional<ModelSpec> fromConfig(const std::filesystem::path& file);

// From a sheet of the catalogue (models/ID.yaml), for models whose configuration is not kept here. Empty
// where a layer is of a kind that this calculator does not know.
[[nodiscard]] std::optional<ModelSpec> fromSheet(const std::filesystem::path& file);

} // namespace headroom::twin
