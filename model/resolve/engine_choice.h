#pragma once

#include "model/base/result.h"
#include "model/catalogue/gpu.h"
#include "model/yaml/catalogue.h"

#include <optional>
#include <string>

namespace headroom {

struct Resolved;

// The engine that is taken on a platform where none was named: the most used of those that run these weights.
[[nodiscard]] std::string usualEngine(const Catalogue& catalogue, Platform platform,
                                      const std::optional<DType>& weights);

// Settles the engine of the scenario for its accelerator, and tells what was chosen or read otherwise.
void chooseEngine(Resolved& out, const Catalogue& catalogue, Problems& problems);

} // namespace headroom
