#pragma once

#include "program.h"

#include <vector>

namespace headroom::twin {

// A seeded grid: stages x boxes x schedulers x loads; only what can run.
[[nodiscard]] std::vector<Question> pipelineGrid(std::uint64_t seed, int questions);
// Attention ranks that share experts x engines x loads.
[[nodiscard]] std::vector<Question> ranksGrid(std::uint64_t seed, int questions);

} // namespace headroom::twin
