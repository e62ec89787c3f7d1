#pragma once

#include "model/base/result.h"

namespace headroom {

constexpr std::size_t mostProblemsTold = 50; // more than anyone mends before trying again

// The first of them, and how many more there are: "and 99950 more problems".
[[nodiscard]] Problems toldProblems(const Problems& problems);

} // namespace headroom
