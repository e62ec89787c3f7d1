#pragma once

#include <filesystem>

namespace headroom {

// The folder of the source tree that the program was built from.
[[nodiscard]] std::filesystem::path builtFrom();

} // namespace headroom
