#pragma once

#include "model/base/result.h"
#include "model/yaml/name_index.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

// The alias indexes: hw_profiles/index.yaml, models/index.yaml, resources/engines/index.yaml. They repeat
// what the files say, so that a process that needs one model and one accelerator opens two files and not two
// hundred.
struct AliasIndex {
    std::vector<IndexRow> gpus;
    std::vector<IndexRow> nodes;
    std::vector<IndexRow> models;
    std::vector<IndexRow> engines;

    friend bool operator==(const AliasIndex&, const AliasIndex&) = default;
};

// One index file: any of the four lists.
[[nodiscard]] Result<AliasIndex> parseIndex(const std::string& text, const std::string& file);
// As the index files say it.
[[nodiscard]] Result<AliasIndex> readIndex(const std::filesystem::path& root);
// As the files themselves say it; refuses ids that differ from their file's name and a spelling that two
// accelerators, machines or engines claim.
[[nodiscard]] Result<AliasIndex> gatherIndex(const std::filesystem::path& root);
// Gathers and writes the three files.
[[nodiscard]] Result<AliasIndex> writeIndex(const std::filesystem::path& root);

} // namespace headroom
