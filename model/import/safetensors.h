#pragma once

#include "model/base/result.h"
#include "model/import/stored_tensors.h"

#include <cstdint>
#include <filesystem>
#include <istream>
#include <string>
#include <vector>

namespace headroom {

// The tensors of one safetensors file, from its header alone. Refused: a header longer than the format allows
// or than the file, an unknown type, a size that is not shape times type, tensors outside the file,
// overlapping or with holes between them (the format has none).
[[nodiscard]] Result<std::vector<StoredTensor>> readSafetensors(std::istream& stream, std::uint64_t size,
                                                                const std::string& name);
[[nodiscard]] Result<std::vector<StoredTensor>> readSafetensors(const std::filesystem::path& file);

// The weights of a model of one or several files. `file` is model.safetensors or
// model.safetensors.index.json; shards that the index names and that are not there are listed in `missing`.
[[nodiscard]] Result<StoredWeights> readSafetensorsWeights(const std::filesystem::path& file);

} // namespace headroom
