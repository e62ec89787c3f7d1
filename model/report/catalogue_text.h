#pragma once

#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/catalogue/llm.h"
#include "model/catalogue/node.h"
#include "model/words/text.h"

#include <string>

namespace headroom {

// One entry of the catalogue for people: its figures, then where they are from.
[[nodiscard]] std::string catalogueText(const Llm& llm, ask::Language language);
[[nodiscard]] std::string catalogueText(const Gpu& gpu, ask::Language language);
[[nodiscard]] std::string catalogueText(const Node& node, ask::Language language);
[[nodiscard]] std::string catalogueText(const Engine& engine, ask::Language language);

} // namespace headroom
