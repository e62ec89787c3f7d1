#pragma once

#include "model/catalogue/llm.h"

namespace headroom {

// False when the sizes, each possible, make a model of more than 10^15 parameters (a thousand times the
// largest published): counting it would overflow 64 bits.
[[nodiscard]] bool plausibleSize(const Llm& llm);

} // namespace headroom
