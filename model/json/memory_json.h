#pragma once

#include "model/advise/memory_need.h"
#include "model/json/value_json.h"

namespace headroom {

// "memory" of a document: counts, and what holds them.
[[nodiscard]] Json memoryJson(const MemoryNeed& need);

} // namespace headroom
