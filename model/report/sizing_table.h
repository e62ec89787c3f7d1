#pragma once

#include "model/search/search.h"

#include <string>

namespace headroom {

// Every candidate as a table for CSV and Markdown.
[[nodiscard]] std::string sizingTable(const SizingPlan& plan, bool markdown);

} // namespace headroom
