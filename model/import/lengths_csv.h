#pragma once

#include "model/base/result.h"
#include "model/scenario/length_distribution.h"

#include <filesystem>

namespace headroom {

// The first column of a CSV file, one length in tokens in each line; a first line that is no number is a
// header.
[[nodiscard]] Result<LengthDistribution> readLengthsFile(const std::filesystem::path& file);

} // namespace headroom
