#pragma once

#include <cstdint>

namespace headroom::ask {

// The languages that questions are understood in and answers are written in.
enum class Language : std::uint8_t { English, Chinese };

} // namespace headroom::ask
