#pragma once

#include "app/probe/search.h"
#include "model/report/columns.h"

namespace headroom::probe {

// The levels of a probe: for people the figures that matter; for programs all of them.
[[nodiscard]] Table levelTable(const ProbeReport& report, bool forPeople);

} // namespace headroom::probe
