#pragma once

#include "model/report/columns.h"
#include "model/search/search.h"

namespace headroom {

// Every candidate, for CSV and Markdown.
[[nodiscard]] Table sizingTable(const SizingPlan& plan);

} // namespace headroom
