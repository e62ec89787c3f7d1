#pragma once

#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/llm.h"
#include "model/catalogue/node.h"

#include <string>

namespace headroom {

// {"schema": "headroom.show/1", "kind": …, "id": …}: one entry of the catalogue with its sources.
[[nodiscard]] std::string showJson(const Llm& llm);
[[nodiscard]] std::string showJson(const Gpu& gpu);
[[nodiscard]] std::string showJson(const Node& node);
[[nodiscard]] std::string showJson(const Engine& engine);

} // namespace headroom
