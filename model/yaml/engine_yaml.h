#pragma once

#include "model/base/result.h"
#include "model/catalogue/engine.h"

#include <string>

namespace headroom {

// Reads a serving engine's preset. Groups: scheduler, memory, host, types, parallel; each cites where its
// figures are from.
[[nodiscard]] Result<Engine> readEngine(const std::string& text, const std::string& file);
[[nodiscard]] std::string writeEngine(const Engine& engine);

[[nodiscard]] std::string_view name(SchedulerKind kind);

} // namespace headroom
