#pragma once

#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/llm.h"
#include "model/catalogue/node.h"

#include <string>

namespace headroom {

// One entry of the catalogue for people: its figures, then where they are from.
[[nodiscard]] std::string catalogueText(const Llm& llm);
[[nodiscard]] std::string catalogueText(const Gpu& gpu);
[[nodiscard]] std::string catalogueText(const Node& node);
[[nodiscard]] std::string catalogueText(const Engine& engine);

} // namespace headroom
