#pragma once

#include "model/count/op.h"

namespace headroom {

// Kernels that one execution of an operator takes where no captured graph holds them: an operator is timed as
// a whole, its kernels are launched one by one.
[[nodiscard]] double launchesOf(const Op& op);

// Those of them that must wait for one another, as a calibration times them: whatever a graph saves of
// launching, a kernel that needs what the last one wrote begins when that has ended.
[[nodiscard]] double startsOf(const Op& op);

} // namespace headroom
