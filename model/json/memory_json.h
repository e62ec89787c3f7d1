#pragma once

#include "model/json/value_json.h"
#include "model/plan/memory_need.h"

namespace headroom {

// "memory" of a document: counts, and what holds them.
[[nodiscard]] Json memoryJson(const MemoryNeed& need);

} // namespace headroom
