#pragma once

#include "model/count/op.h"

namespace headroom {

// Kernels that one execution of an operator takes where no captured graph holds them: an operator is timed as
// a whole, its kernels are launched one by one.
[[nodiscard]] double launchesOf(const Op& op);

} // namespace headroom
