#pragma once

#include "model/yaml/catalogue.h"

namespace headroom {

// The machine in which so many GPUs of a type usually stand together: the default one where it holds them,
// else the smallest of the catalogue that does, else the largest. An error where the accelerator's default
// cannot be read.
[[nodiscard]] Result<const Node*> usualBox(const Catalogue& catalogue, const Gpu& gpu, int together);

// "RTX 4090 stands in … (4 a box)": the assumption.
[[nodiscard]] Message boxText(const Gpu& gpu, const Node& box);

} // namespace headroom
