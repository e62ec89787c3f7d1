#pragma once

#include "model/plan/search.h"

namespace headroom {

// Judges one layout of a machine: how many replicas carry the load, what users then feel, why it will not do.
[[nodiscard]] Candidate judge(const std::shared_ptr<const Resolved>& machine, const Layout& layout,
                              const Scenario& scenario, bool sure = false);

} // namespace headroom
