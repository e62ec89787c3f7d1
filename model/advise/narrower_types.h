#pragma once

#include "model/base/dtype.h"
#include "model/catalogue/engine.h"

#include <optional>
#include <vector>

namespace headroom {

// Types of weights that the engine runs and that are narrower than this one, widest first: the least is lost.
// Of an engine that reads GGUF alone, those that such files usually come in.
[[nodiscard]] std::vector<DType> narrowerWeights(const Engine& engine, DType than);
// The narrowest of them that people usually go to: four bits, if the engine has them.
[[nodiscard]] std::optional<DType> usualNarrowest(const Engine& engine, DType than);
// The two that are worth a try before all others: the widest, and the narrowest that is usual.
[[nodiscard]] std::vector<DType> usualNarrower(const Engine& engine, DType than);

// A type of whole files in mixed blocks, of which there are many and each a little narrower.
[[nodiscard]] bool isGgufFile(DType type);

} // namespace headroom
