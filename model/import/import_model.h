#pragma once

#include "model/base/result.h"
#include "model/catalogue/llm.h"
#include "model/import/stored_tensors.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

struct ImportedModel {
    Llm llm;                             // its id is made from the name of the file or its folder
    std::optional<StoredWeights> stored; // where weights stand beside the configuration
    std::vector<Message> warnings;
};

// A model from local files: a config.json, a folder that holds one (with model.safetensors or its index
// beside it), a .safetensors file or index with a config.json beside it, or a .gguf file (all parts of a
// split one).
[[nodiscard]] Result<ImportedModel> importModel(const std::filesystem::path& path);

} // namespace headroom
