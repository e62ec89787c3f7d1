#pragma once

#include "model/report/columns.h"

#include <span>
#include <string>

namespace headroom {

// One row as an object with the columns' keys, on one line: what streams of rows are made of.
[[nodiscard]] std::string rowJson(std::span<const ColumnHead> heads, std::span<const Cell> cells);

// {"schema": schema, "rows": […]}
[[nodiscard]] std::string tableJson(const std::string& schema, const Table& table);

} // namespace headroom
