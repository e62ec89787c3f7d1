#pragma once

#include "model/base/result.h"
#include "model/catalogue/engine.h"
#include "model/catalogue/gpu.h"
#include "model/scenario/scenario.h"

#include <memory>

namespace headroom {

// The preset as it starts on this card, with what the scenario sets in its place. Every prediction, search,
// simulation and validation runs an engine that came from here. What is wrong is added to `problems`.
[[nodiscard]] std::shared_ptr<Engine> settledEngine(const Engine& preset, const Gpu& gpu,
                                                    const Scenario& scenario, Problems& problems);

} // namespace headroom
