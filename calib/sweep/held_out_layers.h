#pragma once

#include "calib/sweep/layer_tasks.h"
#include "model/yaml/catalogue.h"

#include <string>
#include <vector>

namespace headroom {

// A layer of a prompt in 16 bits and in 8, of which is timed what it keeps of a burst's rate: none on a
// processor.
[[nodiscard]] std::vector<LayerCase> settlingLayers(const Catalogue& catalogue,
                                                    const std::string& deviceKind);

// Layers of real models that no fit sees: small ones on a processor, of three sizes on an accelerator.
[[nodiscard]] std::vector<LayerCase> heldOutLayers(const Catalogue& catalogue, const std::string& deviceKind);

} // namespace headroom
