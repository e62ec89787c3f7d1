#pragma once

#include "calib/sweep/layer_tasks.h"
#include "model/yaml/catalogue.h"

#include <string>
#include <vector>

namespace headroom {

// Layers of real models that no fit sees: small ones on a processor, of three sizes on an accelerator.
[[nodiscard]] std::vector<LayerCase> heldOutLayers(const Catalogue& catalogue, const std::string& deviceKind);

} // namespace headroom
