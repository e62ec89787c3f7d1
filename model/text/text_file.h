#pragma once

#include "model/base/result.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace headroom {

// The whole of a regular file, at most `limit` bytes; a byte-order mark at the start is dropped.
[[nodiscard]] Result<std::string> readTextFile(const std::filesystem::path& file, std::uintmax_t limit);

} // namespace headroom
