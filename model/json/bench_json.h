#pragma once

#include "model/import/bench_import.h"

#include <string>

namespace headroom {

// {"schema": "headroom.import-bench/1", "format", "missing", "warnings", "rows": [the columns of the measured
// CSV]}
[[nodiscard]] std::string benchJson(const ImportedBench& bench);

} // namespace headroom
