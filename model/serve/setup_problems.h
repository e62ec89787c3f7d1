#pragma once

#include "model/base/result.h"
#include "model/scenario/request.h"
#include "model/serve/simulate.h"

namespace headroom::serve {

// What no simulation could run, all of it.
[[nodiscard]] Problems problemsOf(const ServingSetup& setup, const Workload& workload);

} // namespace headroom::serve
