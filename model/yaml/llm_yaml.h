#pragma once

#include "model/base/result.h"
#include "model/catalogue/llm.h"

#include <string>

namespace headroom {

// One model a file. Layers are written in order, as `3 dense + 58 moe` or `10 (5 window + full) + 2 window`,
// where the names are those of `kinds:`. Sizes are bounded so that no product of them leaves 64 bits.
[[nodiscard]] Result<Llm> readLlm(const std::string& text, const std::string& file);
[[nodiscard]] std::string writeLlm(const Llm& llm);

} // namespace headroom
