#pragma once

#include "model/yaml/catalogue.h"

namespace headroom {

// The machine in which so many GPUs of a type usually stand together: the default one where it holds them,
// else the smallest of the catalogue that does, else the largest. An error where the accelerator's default
// cannot be read.
[[nodiscard]] Result<const Node*> usualBox(const Catalogue& catalogue, const Gpu& gpu, int together);

} // namespace headroom
