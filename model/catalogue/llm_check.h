#pragma once

#include "model/base/message.h"
#include "model/catalogue/llm.h"

#include <string>
#include <vector>

namespace headroom {

// What contradicts itself in one kind of layer whose every size is possible alone.
[[nodiscard]] std::vector<Message> contradictions(const LayerKind& kind);

// Sizes that no model has, each possible for a file: beyond the bounds of a model file, or together more than
// 10^15 parameters (a thousand times the largest published), which would overflow what is counted.
[[nodiscard]] std::vector<Message> impossibleSizes(const Llm& llm);

} // namespace headroom
