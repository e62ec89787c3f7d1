#pragma once

#include <string>

namespace headroom::cli {

// The date in UTC, as records carry it: 2026-01-31.
std::string today();

} // namespace headroom::cli
